//! Elements of XML that are called like a field of a name or an address, read with the label of that field.
//!
//! ```text
//! <city>Montpelier</city><state>VT</state>        <city>City: Montpelier;</city><state>State: VT;</state>
//! ```

/// What elements are called, in small letters, and the label of the same field.
const FIELDS: [(&str, &str); 13] = [
    ("city", "City: "),
    ("town", "City: "),
    ("state", "State: "),
    ("province", "State: "),
    ("county", "County: "),
    ("country", "Country: "),
    ("postalcode", "Zip: "),
    ("zipcode", "Zip: "),
    ("zip", "Zip: "),
    ("streetaddressline", "Address: "),
    ("given", "Given: "),
    ("family", "Family: "),
    ("lotnumbertext", "Lot: "),
];

/// What is missing in a text: before the bytes at these places, in order.
pub(super) fn cuts(text: &str) -> Vec<(usize, &'static str)> {
    let mut cuts = Vec::new();
    for at in memchr::memchr_iter(b'<', text.as_bytes()) {
        let name = &text[at + 1..];
        let closes = name.starts_with('/');
        let name = name.strip_prefix('/').unwrap_or(name);
        let length = name.bytes().take_while(u8::is_ascii_alphabetic).count();
        let Some((_, label)) = FIELDS.iter().find(|(field, _)| field.eq_ignore_ascii_case(&name[..length])) else {
            continue;
        };
        if name[length..].starts_with('>') {
            cuts.push(if closes { (at, ";") } else { (at + 1 + length + 1, *label) });
        }
    }
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_addresses_have_their_labels() {
        let text = "<city>Troy</city><postalCode>05602</postalCode><b>x</b> <stateless> <city";
        assert_eq!(cuts(text), [(6, "City: "), (10, ";"), (29, "Zip: "), (34, ";")]);
        let text = "<given>Io</given><family>Quorlin</family>";
        assert_eq!(cuts(text), [(7, "Given: "), (9, ";"), (25, "Family: "), (32, ";")]);
    }
}
