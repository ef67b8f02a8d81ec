//! Internet protocol addresses: others with as many digits.
//!
//! ```text
//! 31.0.12.7 → 84.3.55.1     10.0.12.7 → 10.8.31.5     fe80::1ff:fe23 → fe80::7ac:ee90     00:1A:2B:3C:4D:5E → 93:7C:0D:4F:8A:1B
//! ```

use std::net::{Ipv4Addr, Ipv6Addr};

use super::ids::{Place, place, turn_places};
use super::permutation::{Direction, Randomness};

/// An IPv4 address becomes one with octets of as many digits, an IPv6 address one with as many hexadecimal digits.
pub(super) fn turn(randomness: &Randomness, direction: Direction, value: &str) -> Option<String> {
    if let Ok(address) = value.parse::<Ipv4Addr>() {
        return Some(octets(randomness, direction, address));
    }
    if is_hardware(value) {
        return turn_hexadecimal(randomness, direction, value, 0);
    }
    value.parse::<Ipv6Addr>().ok()?;
    if !value.bytes().any(|byte| byte.is_ascii_hexdigit()) {
        return Some(String::from("::1")).filter(|other| other != value);
    }
    let network = set_aside(value);
    let turned = |address: &str| turn_hexadecimal(randomness, direction, address, network.len());
    let mut image = turned(value)?;
    // As with the others, a walk meets one like the first.
    while set_aside(&image) != network {
        image = turned(&image)?;
    }
    Some(image).filter(|address| address.parse::<Ipv6Addr>().is_ok())
}

/// How much of an IPv6 address tells that it is of one link or of one site, which every other of its network begins with as well: the first group
/// of `fe80::/10` and of `fc00::/7` (RFC 4291, RFC 4193); nothing of others.
fn set_aside(value: &str) -> &str {
    let first = value.split(':').next().unwrap_or_default();
    let group = u16::from_str_radix(first, 16).unwrap_or_default();
    if group & 0xffc0 == 0xfe80 || group & 0xfe00 == 0xfc00 { first } else { "" }
}

/// Whether a text is one address and nothing else, and so is what it becomes.
pub(super) fn is_address(value: &str) -> bool {
    let is_long = || value.parse::<Ipv6Addr>().is_ok() && !value.contains('.');
    let has_digits = || value.bytes().any(|byte| byte.is_ascii_hexdigit());
    value.parse::<Ipv4Addr>().is_ok() || is_hardware(value) || is_long() && has_digits()
}

/// Behind so many bytes digits become digits, letters letters up to `f`.
fn turn_hexadecimal(randomness: &Randomness, direction: Direction, value: &str, kept: usize) -> Option<String> {
    let mut bytes = value.as_bytes().to_vec();
    let places: Vec<Place> = (kept..bytes.len())
        .filter(|&at| bytes[at].is_ascii_hexdigit())
        .map(|at| if bytes[at].is_ascii_digit() { place(&bytes, at, 0) } else { Place { at, lowest: 0, radix: 6 } })
        .collect();
    turn_places(randomness, direction, "internet address", &mut bytes, &places);
    String::from_utf8(bytes).ok()
}

/// The address of a network card: six or eight pairs of hexadecimal digits, or groups of four as some routers write it.
fn is_hardware(value: &str) -> bool {
    let digits = |groups: &[&str], each: usize| {
        groups.iter().all(|group| group.len() == each && group.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    [':', '-', '.', ' '].into_iter().any(|mark| {
        let groups: Vec<&str> = value.split(mark).collect();
        matches!(groups.len(), 6 | 8) && digits(&groups, 2) || mark != ':' && groups.len() == 3 && digits(&groups, 4)
    }) || value.len() == 12 && digits(&[value], 12)
}

/// An address of a private network becomes another of that network, and no other becomes one.
fn octets(randomness: &Randomness, direction: Direction, address: Ipv4Addr) -> String {
    let ranges = ranges(address);
    let shape: Vec<u8> = ranges.iter().flat_map(|(lowest, count)| [*lowest, *count]).collect();
    let draw = randomness.draw("internet address octets", &shape);
    let size = ranges.iter().map(|(_, count)| u128::from(*count)).product();
    let mut image = address;
    loop {
        let digits = ranges.iter().zip(image.octets());
        let number = digits.fold(0, |number, ((lowest, count), octet)| {
            number * u128::from(*count) + u128::from(octet.saturating_sub(*lowest))
        });
        let mut rest = randomness.turn(direction, &draw, size, number);
        let mut octets = [0; 4];
        for (octet, (lowest, count)) in octets.iter_mut().zip(ranges).rev() {
            *octet = lowest + (rest % u128::from(count)) as u8;
            rest /= u128::from(count);
        }
        image = Ipv4Addr::from(octets);
        // A walk through all addresses of a shape meets one like the first before it is through.
        if is_public(image) == is_public(address) {
            return image.to_string();
        }
    }
}

const fn is_public(address: Ipv4Addr) -> bool {
    !(address.is_private() || address.is_loopback() || address.is_link_local())
}

/// The lowest octet that each may become, and how many: of as many digits, and within the networks that are set aside for sites (RFC 1918), for one
/// machine and for one link (RFC 1122, RFC 3927).
fn ranges(address: Ipv4Addr) -> [(u8, u8); 4] {
    let octets = address.octets();
    let mut ranges = octets.map(|octet| match octet {
        0..=9 => (0, 10),
        10..=99 => (10, 90),
        _ => (100, 156),
    });
    match octets {
        [network @ (10 | 127), ..] => ranges[0] = (network, 1),
        [169, 254, ..] => (ranges[0], ranges[1]) = ((169, 1), (254, 1)),
        [172, 16..=31, ..] => (ranges[0], ranges[1]) = ((172, 1), (16, 16)),
        [192, 168, ..] => (ranges[0], ranges[1]) = ((192, 1), (168, 1)),
        _ => {}
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_public_address_becomes_a_private_one_and_all_lead_back() {
        for key in 0..40 {
            let randomness = Randomness::new([key; 32]);
            for last in 0..=255 {
                for address in [Ipv4Addr::new(193, 168, 1, last), Ipv4Addr::new(11, 5, last, 4)] {
                    let moved = turn(&randomness, Direction::Forth, &address.to_string()).unwrap();
                    assert!(!moved.parse::<Ipv4Addr>().unwrap().is_private(), "{moved}");
                    assert_eq!(turn(&randomness, Direction::Back, &moved).unwrap(), address.to_string());
                }
            }
        }
    }

    #[test]
    fn internet_addresses_stay_addresses() {
        let randomness = Randomness::new([9; 32]);
        for address in ["192.168.0.254", "10.0.0.1", "8.8.8.8"] {
            let moved = turn(&randomness, Direction::Forth, address).unwrap();
            assert_ne!(moved, address);
            assert!(moved.parse::<Ipv4Addr>().is_ok());
            assert_eq!(turn(&randomness, Direction::Back, &moved).unwrap(), address);
            let lengths = |text: &str| text.split('.').map(str::len).collect::<Vec<_>>();
            assert_eq!(lengths(&moved), lengths(address));
        }
        for (address, network) in [
            ("192.168.0.254", "192.168."),
            ("10.20.30.40", "10."),
            ("172.20.1.7", "172."),
            ("127.0.0.1", "127."),
            ("169.254.11.7", "169.254."),
            ("fe80::1ff:fe23:4567:890a", "fe80::"),
            ("fd12:3456::1", "fd12:"),
        ] {
            let moved = turn(&randomness, Direction::Forth, address).unwrap();
            assert!(moved.starts_with(network) && moved != address && is_address(&moved), "{moved}");
            assert_eq!(turn(&randomness, Direction::Back, &moved).unwrap(), address);
        }
        let moved = turn(&randomness, Direction::Forth, "fe80::1ff:fe23:4567:890a").unwrap();
        assert!(moved.parse::<Ipv6Addr>().is_ok());
        for address in ["00:1A:2B:3C:4D:5E", "00-1a-2b-3c-4d-5e", "001a.2b3c.4d5e", "001A2B3C4D5E"] {
            let moved = turn(&randomness, Direction::Forth, address).unwrap();
            assert!(moved != address && is_hardware(&moved), "{moved}");
            assert_eq!(moved.to_uppercase() == moved, address.to_uppercase() == address);
            assert_eq!(turn(&randomness, Direction::Back, &moved).unwrap(), address);
        }
    }
}
