//! Goods that are called like persons with a title: `Dr Pepper`, `Dr. Scholl's insoles`, `Mrs. Dash seasoning`.
//!
//! ```text
//! "drinks two cans of Dr Pepper a day"     a measure of it before the name     a drink
//! "seen by Dr. Pepper for her diet"        no word of the goods beside it      stays a person
//! ```
//!
//! A doctor may well be called Pepper. So a word that is said of the goods must touch the name; what is only near it tells nothing.

use super::listed::listed;
use super::patterns::context::is_listed;

/// Titles that goods have.
const TITLES: &str = "dr mr mrs aunt uncle captain";
/// What holds a drink or a cleaner, before `of`.
const MEASURES: &str =
    "can cans bottle bottles cup cups glass glasses liter liters litre litres oz ounce ounces sip sips gulp gulps";

/// What stands before a person more often than before goods, unless something is said to be the person's.
const BEFORE_PERSONS: &str = "by with w per under see sees saw seen seeing attending pcp provider physician";

/// Goods that are called alike.
struct Product {
    /// The titles and names, in small letters.
    names: &'static [(&'static str, &'static str)],
    /// What is said right before the title.
    before: &'static str,
    /// What is said right behind the name.
    after: &'static str,
}

const PRODUCTS: &[Product] = &[
    Product {
        names: &[("dr", "pepper"), ("dr", "peppers"), ("mr", "pibb"), ("dr", "thunder")],
        before: "diet drinks drink drinking drank cherry",
        after: "soda sodas can cans bottle bottles float",
    },
    Product {
        names: &[("dr", "scholl"), ("dr", "scholls")],
        before: "otc wears wearing tried",
        after: "insole insoles insert inserts pad pads shoe shoes sandals orthotic orthotics cushion cushions gel corn callus wart \
                arch heel foot powder moleskin product products brand",
    },
    Product {
        names: &[("mr", "clean")],
        before: "drank drinking swallowed swallowing ingested ingesting",
        after: "eraser erasers magic cleaner bleach spray product products solution wipes ingestion exposure",
    },
    Product {
        names: &[("mrs", "dash")],
        before: "use uses using try",
        after: "seasoning seasonings spice spices herb herbs instead",
    },
    Product {
        names: &[("aunt", "jemima"), ("mrs", "butterworth"), ("mrs", "butterworths")],
        before: "",
        after: "syrup pancake pancakes waffle waffles mix",
    },
    Product { names: &[("uncle", "ben"), ("uncle", "bens")], before: "", after: "rice" },
    Product {
        names: &[("dr", "teal"), ("dr", "teals"), ("mr", "bubble"), ("dr", "bronner"), ("dr", "bronners")],
        before: "",
        after: "epsom bath soak soaks salt salts bubble soap soaps wash castile foaming peppermint lavender",
    },
    Product { names: &[("dr", "brown"), ("dr", "browns")], before: "", after: "bottle bottles nipple nipples" },
    Product { names: &[("mr", "coffee")], before: "", after: "maker machine pot carafe" },
    Product { names: &[("captain", "morgan")], before: "drinks drink drinking drank", after: "rum spiced" },
    Product { names: &[("captain", "crunch")], before: "ate eats eating", after: "cereal" },
    Product { names: &[("dr", "seuss")], before: "", after: "book books" },
];

/// Whether the person `inside`, between what stands before and after it in its sentence, is goods.
pub(super) fn is_product(before: &str, inside: &str, after: &str) -> bool {
    let Some((head, title, name)) = titled(before, inside) else { return false };
    let is_named =
        |(known, called): &(&str, &str)| known.eq_ignore_ascii_case(title) && called.eq_ignore_ascii_case(name);
    let Some(product) = PRODUCTS.iter().find(|product| product.names.iter().any(is_named)) else { return false };
    let (lead, rest) = last_word(head);
    let measured = lead.eq_ignore_ascii_case("of") && listed!(last_word(rest).0, MEASURES);
    // `Seen by Dr. Brown bottle feeds well`
    let of_person = listed!(lead, BEFORE_PERSONS) && !is_owner(inside, after);
    measured || is_listed(lead, product.before) || !of_person && is_listed(next_word(after), product.after)
}

/// What stands before the title of a person, the title, and the name without a possessive: the title may be inside or right before.
fn titled<'t>(before: &'t str, inside: &'t str) -> Option<(&'t str, &'t str, &'t str)> {
    let (head, title, name) = match inside.split_once([' ', '.']) {
        Some((title, name)) if listed!(title, TITLES) => (before, title, name.trim_start_matches([' ', '.'])),
        _ => {
            let near = before.trim_end_matches([' ', '.', '\n']);
            let (title, head) = last_word(near);
            ((1..=2).contains(&(before.len() - near.len())) && listed!(title, TITLES))
                .then_some((head, title, inside))?
        }
    };
    let bare = name.strip_suffix("'s").or_else(|| name.strip_suffix("’s")).unwrap_or(name);
    Some((head, title, bare))
}

/// Whether a person is said to own what follows: `Dr. Brown's`.
fn is_owner(inside: &str, after: &str) -> bool {
    ["'s", "’s"].iter().any(|owns| inside.ends_with(owns) || after.starts_with(owns))
}

/// The last word of a text that ends in it and blanks, and what stands before it; an empty one where a mark stands behind it.
fn last_word(text: &str) -> (&str, &str) {
    let text = text.trim_end_matches(' ');
    let word = text.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    (word, &text[..text.len() - word.len()])
}

/// The word behind a name and its possessive, with nothing but a blank between them.
fn next_word(text: &str) -> &str {
    let rest = text.strip_prefix("'s").or_else(|| text.strip_prefix("’s")).unwrap_or(text);
    let rest = rest.strip_prefix(['®', '™']).unwrap_or(rest).strip_prefix(' ').unwrap_or_default();
    // `Dr Pepper 2 cans`
    let counted = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if counted.len() < rest.len() { counted.strip_prefix(' ').unwrap_or_default() } else { rest };
    &rest[..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the part in `⟦⟧` is goods.
    fn is_goods(marked: &str) -> bool {
        let (before, rest) = marked.split_once('⟦').expect("an opening mark");
        let (inside, after) = rest.split_once('⟧').expect("a closing mark");
        is_product(before, inside, after)
    }

    #[test]
    fn goods_are_no_persons() {
        for goods in [
            "drinks two cans of Dr ⟦Pepper⟧ a day",
            "likes diet Dr. ⟦Pepper⟧, no water",
            "uses Dr. ⟦Scholl⟧'s insoles at work",
            "a child who drank Mr. ⟦Clean⟧ at home",
            "swallowed a bottle of ⟦Mr. Clean⟧",
            "low salt, using Mrs. ⟦Dash⟧ on all",
            "fed by Dr. ⟦Brown’s⟧ nipple",
            "carbs from Aunt ⟦Jemima⟧ syrup",
            "Dr ⟦Pepper⟧ 2 cans a day",
        ] {
            assert!(is_goods(goods), "{goods}");
        }
    }

    #[test]
    fn persons_of_the_same_name_stay() {
        for person in [
            "seen by Dr. ⟦Pepper⟧ for her diet",
            "Dr. ⟦Pepper⟧, can she drink?",
            "patient of Dr ⟦Pepper⟧ for years",
            "Per Dr. ⟦Brown⟧, bottle feeds are fine",
            "Seen by Dr. ⟦Brown⟧ bottle feeds reviewed",
            "Seen by Dr. ⟦Brown⟧\nBottle feeds reviewed",
            "Dr. ⟦Brown⟧ reviewed the nipple",
            "Seen by Dr ⟦Pepper⟧ 2 cans of Ensure given",
            "her Aunt ⟦Jemima⟧ called",
            "told Mr. ⟦Clean⟧ to rest",
            "black ⟦Pepper⟧ soda",
            "⟦Pepper⟧ soda",
        ] {
            assert!(!is_goods(person), "{person}");
        }
    }
}
