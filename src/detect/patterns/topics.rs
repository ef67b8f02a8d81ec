//! What a sentence may be about, told by its words: a family whose words are not there has nothing to find.
//!
//! ```text
//! "Lives on Maple, goes by Stush."      LONE_STREETS (on) · CALLED (goes): the other families below need not look
//! ```
//!
//! The words are looked up with the cue words, so that a topic costs nothing by itself, and an expression that begins with a rare word is not
//! run on every sentence. Each list has every word of which the family's expressions ask for one, written alone: runs of ASCII letters, as the
//! survey cuts them.

use std::ops::BitOrAssign;

/// A set of topics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Topics(u32);

macro_rules! topics {
    ($($name:ident = $bit:literal, $doc:literal, $words:expr;)+) => {
        impl Topics {
            $(#[doc = $doc] pub(super) const $name: Self = Self(1 << $bit);)+

            /// Every topic with its words, blank-separated.
            pub(super) const WORDS: &[(Self, &'static str)] = &[$((Self::$name, $words),)+];
        }
    };
}

topics! {
    LONE_STREETS = 0, "Streets by their bare name: `lives on Maple`.", "on off";
    INNS = 1, "Inns with a number.", "motel super studio";
    TRADES = 2, "Shops that are called by whoever keeps them.",
        "shop store diner bakery tavern pub deli pizzeria barbershop laundromat brewery winery orchard sawmill quarry dairy creamery \
         cannery foundry hatchery greenhouse feedlot junkyard pawnshop place grocery hardware";
    CALLED = 3, "What somebody is called.", "goes went answers nickname nicknamed alias called call calls aka";
    DICTATED = 4, "Names behind a title in small letters.", "doctor patient nurse mister missus";
    SAID_COMMA = 5, "A comma that was said.", "comma";
    INITIALED = 6, "Initials behind a word that tells them.",
        "init inits initial initials rev reviewed checked chk ckd verified entered typed scanned keyed filed logged cosign cosigned";
    CLIENTS = 7, "Patients by the role that they have, and their initials.",
        "client student pupil child camper participant consumer pt patient initial initials";
    GRADED = 8, "Pupils with their grades.", "gr grade";
    CHILDREN = 9, "Children told with their ages.",
        "children kids kiddos sons daughters siblings sibs brothers sisters grandchildren grandkids grandsons granddaughters twins";
    OPERATORS = 10, "The sign-on name of an operator.", "op";
    FORCES = 11, "Bodies of armies.",
        "inf infantry cav cavalry airborne abn wing marines mardiv armor armored artillery fa battalion bn brigade bde squadron regiment \
         ranger rangers sfg forces mountain fleet engineer engineers signal fighter bomb transportation aviation";
    CONFESSIONS = 12, "Churches by their confession.",
        "nazarene umc baptist methodist presbyterian lutheran christian congregational ame unitarian covenant reformed alliance pentecostal \
         foursquare assembly";
    BISHOPS = 13, "Wards of a church.", "bishop bishopric lds stake relief";
    PREFERRED = 14, "What somebody wants to be called.", "prefers preferred";
    CANCERS = 15, "Cancers of kin.",
        "breast br ovarian ov prostate colon crc pancreatic panc uterine endometrial lung thyroid gastric renal bladder melanoma brain \
         contralat contralateral ca bilat";
    ATTENDING = 16, "Who came to a group or a meeting.",
        "attendance attendees attended present absent excused show shows participants";
}

impl Topics {
    /// Whether the set has any of the others.
    #[inline]
    pub(super) const fn has(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }
}

impl BitOrAssign for Topics {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}
