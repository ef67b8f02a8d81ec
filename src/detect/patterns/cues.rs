//! The words that make a family look: `March`, `MRN`, `pager`, `Avenue`.
//!
//! One table of whole words, probed once for each word of a sentence.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::topics::Topics;

use crate::detect::short_word::{LONGEST, hash_of, lower_number_of};

/// What a word points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cue {
    /// A month by its full name, 1–12.
    Month(u8),
    /// A month by its abbreviation, 1–12.
    MonthShort(u8),
    /// `th` after the number of a day, and its like.
    DaySuffix,
    /// A weekday by its full name.
    Weekday,
    /// A weekday by its abbreviation.
    WeekdayShort,
    /// A season.
    Season,
    /// `quarter`.
    Quarter,
    /// `q`, which may begin `Q3 2019`.
    QuarterShort,
    /// The first word of a holiday.
    Holiday,
    /// A unit in which ages are told: `year`, `yo`, `months`.
    AgeUnit,
    /// `age`, `aged`.
    AgeWord,
    /// A number in words, up to ninety, and a hundred.
    NumberWord,
    /// `sixties`.
    DecadeWord,
    /// `birthday`.
    Birthday,
    /// An ordinal in words, which may be the day of a month.
    Ordinal,
    /// An abbreviation of a state that is not its postal one.
    OldState,
    /// `half` before `term`, `bank` before `holiday`.
    Term,
    /// Who may be so and so old: `she is 94`.
    Person,
    /// A relative, whose age may follow: `mother (88)`.
    Kin,
    /// `nonagenarian`.
    AgeOfDecades,
    /// `his`, `her`, `their`: before `90s`.
    Decade,
    /// A telephone.
    Phone,
    /// A fax.
    Fax,
    /// A pager.
    Pager,
    /// An extension.
    Extension,
    /// A word of addresses on the internet: `www`, `http`, `com`.
    Web,
    /// An identifier, by the row of the table of identifiers.
    Identifier(u8),
    /// `social`, `ssn`.
    SocialSecurity,
    /// Before a user id.
    User,
    /// `signed`, `verified`: before a user id or initials.
    SignOff,
    /// A street suffix: `Street`, `Ave`.
    Street,
    /// A word that begins a street line by itself: `PO`, `highway`, `route`.
    Road,
    /// A vehicle, whose plate may follow.
    Vehicle,
    /// `zip`.
    Zip,
    /// `birthplace`.
    Birth,
    /// `room`, `bed`, `ward`.
    Unit,
    /// A compass point or tower after the number of a ward.
    Wing,
    /// A crew, whose number may follow.
    Crew,
    /// A word that tells another language than English by itself: `paciente`, `rue`.
    Abroad,
    /// A small word of another language: two of them tell.
    AbroadSmall,
}

const WORDS: &[(Cue, &str)] = &[
    (Cue::Month(1), "january enero januar janvier janury janaury januray"),
    (Cue::Month(2), "february febuary feburary februrary febrary februray febuaray febrero februar"),
    (Cue::Month(3), "march marzo"),
    (Cue::Month(4), "april arpil apirl aprill abril"),
    (Cue::Month(5), "may"),
    (Cue::Month(6), "june junio juin"),
    (Cue::Month(7), "july julio jully juillet"),
    (Cue::Month(8), "august agust augst agosto"),
    (Cue::Month(9), "september septmber setember septembr septiembre setptember spetember"),
    (Cue::Month(10), "october ocotber octber octuber octubre octobre oktober"),
    (Cue::Month(11), "november novmber novemeber noviembre"),
    (Cue::Month(12), "december decmber decemeber desember diciembre dezember"),
    (Cue::MonthShort(1), "jan"),
    (Cue::MonthShort(2), "feb febr"),
    (Cue::MonthShort(3), "mar mrch"),
    (Cue::MonthShort(4), "apr"),
    (Cue::MonthShort(6), "jun"),
    (Cue::MonthShort(7), "jul"),
    (Cue::MonthShort(8), "aug"),
    (Cue::MonthShort(9), "sep sept"),
    (Cue::MonthShort(10), "oct"),
    (Cue::MonthShort(11), "nov"),
    (Cue::MonthShort(12), "dec"),
    (
        Cue::Weekday,
        "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays \
         saturdays sundays wensday wendesday wednsday wedensday tuseday tusday teusday thurday thrusday thursdy \
         firday saterday satuday sundy mondy",
    ),
    (Cue::DaySuffix, "nd th"),
    (Cue::WeekdayShort, "mon tue tues wed weds thu thur thurs fri sat sun"),
    (Cue::Season, "spring summer fall autumn winter springtime summertime wintertime"),
    (Cue::Quarter, "quarter qtr"),
    (Cue::QuarterShort, "q fy cy"),
    (
        Cue::Holiday,
        "christmas xmas thanksgiving easter halloween hanukkah chanukah hannukah passover ramadan eid diwali \
         kwanzaa labor decoration flag arbor election inauguration armistice remembrance australia labour souls saints epiphany \
         candlemas wigilia lohri vaisakhi baisakhi pongal onam navratri dussehra janmashtami tet shavuot simchat lag \
         tisha ashura mawlid laylat michaelmas whitsun whitsunday bastille anzac guy dia día hogmanay bonfire shrove maundy \
         pancake orthodox coptic advent navidad nochebuena semana setsubun obon chuseok memorial independence veterans veteran vets presidents president mother mothers father fathers \
         valentine valentines new patrick patricks martin mlk columbus juneteenth good rosh cinco mardi ash \
         palm boxing canada lunar chinese groundhog holi pentecost lent fourth yom indigenous nowruz songkran vesak \
         sukkot purim cny leap pioneer tax patriot patriots fat kamehameha paddy paddys patty pattys super hmong lao khmer tibetan persian \
         ethiopian jewish tamil thai vietnamese korean",
    ),
    (
        Cue::AgeUnit,
        "yo yr yrs year years y yof yom yold month months mo mos week weeks wk wks day days hour hours hr hrs f m yow ym yf yrm yrf ywm ywf ybm ybf yowm yowf yobm yobf male female",
    ),
    (
        Cue::NumberWord,
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen \
         eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred",
    ),
    (Cue::DecadeWord, "twenties thirties forties fifties sixties seventies eighties nineties"),
    (
        Cue::Ordinal,
        "first second third fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth \
         seventeenth eighteenth nineteenth twentieth thirtieth",
    ),
    (Cue::Term, "half bank"),
    (
        Cue::OldState,
        "minn calif mass wash tenn ariz fla mich penna conn colo okla nebr wisc wis ala ark tex kans oreg nev",
    ),
    (
        Cue::AgeOfDecades,
        "quadragenarian quinquagenarian sexagenarian septuagenarian octogenarian nonagenarian centenarian supercentenarian \
         thirtyish fortyish fiftyish sixtyish seventyish eightyish ninetyish sexagenarians septuagenarians octogenarians nonagenarians centenarians",
    ),
    (Cue::Birthday, "birthday bday birthdays"),
    (Cue::AgeWord, "age aged ages edad turned turning turn turns died deceased passed"),
    (
        Cue::Kin,
        "mother father brother sister son daughter aunt uncle grandmother grandfather mom dad wife husband mgm \
         mgf pgm pgf niece nephew cousin",
    ),
    (Cue::Decade, "his her their hers my early mid late mid-"),
    (
        Cue::Phone,
        "phone phones telephone tel cell cellphone mobile ph call called calling callback cb contact reach \
         reached landline hotline dial text texted voicemail vm telephoned spectralink spectra vocera ascom ascoms whatsapp txt ring rang",
    ),
    (Cue::Fax, "fax faxed facsimile fx"),
    (Cue::Pager, "pager beeper pgr page paged pg bpr bleep bleeps bleeper pagers"),
    (Cue::Extension, "ext extension x extn xt"),
    (
        Cue::Web,
        "www http https com org net edu gov mil info io health care med us uk ca biz co app de fr es ftp html php aspx example",
    ),
    (Cue::SocialSecurity, "ssn social soc ss ssa xx xxx ssns"),
    (Cue::User, "user username userid login logon signon usr uid netid"),
    (
        Cue::SignOff,
        "signed verified transcribed dictated entered released ordered reviewed edited authenticated typed by \
         esigned attested cosigned scribed modified resulted charted documented updated performed witnessed \
         administered transcriptionist operator technologist tech scribe author initials signature addended \
         filed",
    ),
    (
        Cue::Street,
        "street st avenue terr trce ave av road rd boulevard blvd lane ln drive dr court ct place pl way terrace ter circle \
         cir parkway pkwy highway hwy trail trl square sq loop alley aly plaza plz pike turnpike tpke crescent \
         path row run ridge crossing xing point pt broadway expressway expy freeway fwy bend cove creek crest \
         glen grove heights hts hill hollow landing lndg manor meadow meadows mews park pass ramp shore spring spur \
         station trace view vista walk commons bypass causeway close gardens ctr",
    ),
    (
        Cue::Road,
        "psc cmr apo fpo dpo po p pob pobox hc hcr ranch star box highway hwy route rt rte rr rural interstate county sr us fm rue calle avenida paseo camino impasse chemin viale corso rua jalan",
    ),
    (Cue::Person, "she he patient pt who"),
    (
        Cue::Vehicle,
        "vehicle vehicles veh truck car cars van suv pickup sedan mvc mva mvi rtc parked reg regn registered drives \
         minivan motorcycle trailer jeep subaru toyota honda ford chevy chevrolet nissan dodge hyundai kia mazda volvo \
         volkswagen vw bmw audi mercedes lexus tesla buick cadillac chrysler mitsubishi acura tacoma camry corolla \
         civic accord silverado",
    ),
    (Cue::Birth, "birthplace birth"),
    (Cue::Zip, "zip zipcode postal postcode"),
    (
        Cue::Unit,
        "room rm bed ward unit bay floor flr suite ste pod wing tower building bldg or station exam hall level \
         icu nicu micu sicu picu ccu cvicu cticu ticu neuroicu pacu fl",
    ),
    (Cue::Crew, "ambulance medic engine ladder squad rescue lifeflight lifestar medstar medevac airevac airlife"),
    (Cue::Wing, "north south east west tower nw ne sw se n s e w center main pavilion"),
    (
        Cue::Abroad,
        "octobre novembre janvier januari juni augusti marca srpna brezna \
         avda habitacion urgencias paciente pacientes domicilio telefono expediente afiliacion nacimiento \
         ingreso meses nhc dni postbus postfach curp tfno colegiado mayo esposa hija fevrier avril aout septembre decembre \
         chambre hospitalise madame monsieur mme rpps ans docteur depuis strasse jahre jahren zimmer geburtsdatum \
         versicherung krankenkasse herrn frau herr patientin klinikum krankenhaus geb tochter sohn uhr praca travessa \
         janeiro fevereiro maio junho julho setembro outubro novembro dezembro idade prontuario cpf cep utente anos \
         filha filho neta trazida gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre anni letto \
         paziente ricovero dimissione nata figlia figlio januari februari maart augustus straat jaar kamer mevr mevrouw \
         dhr huisarts bsn insz opgenomen dochter zoon patienten kvinna gatan tlf afdeling marts stycznia lutego \
         kwietnia maja czerwca lipca sierpnia listopada grudnia pacjent pacjentka szpital ocak nisan haziran temmuz \
         ekim hastanesi mars maj mart mei juli mai klinik spital ospedale clinica policlinico ziekenhuis \
         lunes martes jueves viernes domingo lundi mercredi jeudi vendredi samedi dimanche montag dienstag \
         mittwoch donnerstag freitag samstag sonntag sabato domenica maandag dinsdag woensdag donderdag vrijdag \
         zaterdag zondag mrt weihnachten ostern natale pasqua kerst pasen carnaval nombre apellidos edad fecha pcte enfermera enfermero enfermeria medica doctora madre hermana hermano abuela \
         nieta vecina ingresa acude refiere presenta consultorio ricoverato infermiera infermiere dottssa cartella moglie \
         marito verbale enfermeira enfermeiro doente medecin infirmiere naissance mutuelle sejour arzt arztin pflege \
         aufnahme entlassung geboren krankenschwester schwester bruder hausarzt wohnhaft opname verpleegkundige ontslag \
         geboortedatum echtgenote adres lakare skoterska avdelning vardcentral patienten syster anhorig sykehus \
         sykepleier pasient avd fodt datter rekv laege sygeplejerske lekarz oddzial leczenie pielegniarka hasta tarih \
         dogum klinigi servisi doktor pasien perawat rujukan lahir potilas osasto hoitaja syntynyt beteg orvos osztaly \
         szuletett pacientka oddeleni narozen pacienta spitalul medicul nascut pacientul marido \
         okt ledna brezna dubna kvetna srpna rijna listopadu prosince ianuarie februarie aprilie iunie iulie septembrie octombrie \
         noiembrie decembrie tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta elokuuta syyskuuta lokakuuta \
         marraskuuta joulukuuta",
    ),
    (
        Cue::AbroadSmall,
        "und der mit von bei ist nicht seit zur zum wird nach eine auf une dans pour avec chez est les des elle aux los \
         las una que desde del muy hace por para pelo pela uma nao gli della dell delle sono dal nel alla het een voor \
         niet aan uit naar bij zij och inte til ikke",
    ),
];

/// A table of whole words in any case, of at most sixteen ASCII letters: one multiplication and mostly one probe a
/// word.
#[derive(Debug)]
pub(in crate::detect) struct WordTable<V> {
    /// Twice as many as there are words, or more.
    slots: Vec<Option<(u128, V)>>,
    /// The lengths of the words, as bits, by their first two letters: most words of a text are ruled out by it.
    lengths: Vec<u32>,
}

/// What a word tells: what it points to, and what its sentence may be about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Sign {
    /// What it points to; for some words nothing.
    pub(super) cue: Option<Cue>,
    /// What its sentence may be about.
    pub(super) topics: Topics,
}

/// The table of cue words, and of those that tell topics.
pub(super) type CueTable = WordTable<Sign>;

impl CueTable {
    /// The one table.
    pub(super) fn shared() -> &'static Self {
        static TABLE: LazyLock<CueTable> = LazyLock::new(CueTable::build);
        &TABLE
    }

    fn build() -> Self {
        let identifiers = super::identifiers::cue_words().map(|(row, words)| (Cue::Identifier(row), words));
        let mut signs: HashMap<&str, Sign> = HashMap::new();
        for (cue, words) in WORDS.iter().copied().chain(identifiers) {
            for word in words.split_ascii_whitespace() {
                // The first cue of a word stays.
                signs.entry(word).or_default().cue.get_or_insert(cue);
            }
        }
        for &(topic, words) in Topics::WORDS {
            words.split_ascii_whitespace().for_each(|word| signs.entry(word).or_default().topics |= topic);
        }
        Self::of(signs.into_iter().map(|(word, sign)| (sign, word)))
    }

    /// What a word points to.
    pub(super) fn cue(&self, word: &[u8]) -> Option<Cue> {
        self.get(word)?.cue
    }
}

impl<V: Copy> WordTable<V> {
    /// A table of blank-separated words by value; the first value of a word stays.
    pub(in crate::detect) fn of<'w>(rows: impl IntoIterator<Item = (V, &'w str)>) -> Self {
        let rows: Vec<(V, &str)> = rows.into_iter().collect();
        let words: usize = rows.iter().map(|(_, words)| words.split_ascii_whitespace().count()).sum();
        let mut table = Self { slots: vec![None; (words * 2).next_power_of_two().max(2)], lengths: vec![0; 1 << 10] };
        for (value, words) in rows {
            words.split_ascii_whitespace().for_each(|word| table.insert(word, value));
        }
        table
    }

    /// The value of a word.
    pub(in crate::detect) fn get(&self, word: &[u8]) -> Option<V> {
        if word.len() > LONGEST || self.lengths[head_of(word)] >> word.len() & 1 == 0 {
            return None;
        }
        let key = lower_number_of(word)?;
        let mut slot = self.slot_of(key);
        while let Some((known, value)) = self.slots[slot] {
            if known == key {
                return Some(value);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        None
    }

    fn insert(&mut self, word: &str, value: V) {
        let Some(key) = lower_number_of(word.as_bytes()) else { return };
        self.lengths[head_of(word.as_bytes())] |= 1 << word.len();
        let mut slot = self.slot_of(key);
        while let Some((known, _)) = self.slots[slot] {
            if known == key {
                return;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = Some((key, value));
    }

    fn slot_of(&self, key: u128) -> usize {
        (hash_of(key) >> 32) as usize & (self.slots.len() - 1)
    }
}

/// The first two letters of a word as a number, the same in any case.
fn head_of(word: &[u8]) -> usize {
    let letter = |at: usize| usize::from(word.get(at).copied().unwrap_or(0) & 31);
    letter(0) << 5 | letter(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole_and_in_any_case() {
        let table = CueTable::shared();
        assert_eq!(table.cue(b"MaRCH"), Some(Cue::Month(3)));
        assert_eq!(table.get(b"marching"), None);
        assert_eq!(table.cue(b"Febuary"), Some(Cue::Month(2)));
        assert!(matches!(table.cue(b"mrn"), Some(Cue::Identifier(_))));
        assert_eq!(table.get(b""), None);
        assert_eq!(table.get(b"pneumonoultramicroscopic"), None);
    }

    #[test]
    fn the_table_stays_sparse() {
        let table = CueTable::shared();
        assert!(table.slots.iter().flatten().count() * 2 <= table.slots.len());
    }
}
