"""The labels that the models learn, and how those of the annotation guideline fall into them.

Numbers that only their cue tells apart are one label: the patterns of the engine know them better by form, and a model that
must guess between an account and a licence number learns both worse.
"""

LEARNED = [
    "PATIENT", "DOCTOR", "USERNAME", "PROFESSION", "HOSPITAL", "ORGANIZATION", "STREET", "CITY", "STATE", "COUNTRY", "ZIP",
    "LOCATION-OTHER", "AGE", "DATE", "PHONE", "URL", "IDNUM", "TIME",
]

_MERGED = {
    "FAX": "PHONE", "EMAIL": "URL", "IPADDR": "URL", "SSN": "IDNUM", "MEDICALRECORD": "IDNUM", "HEALTHPLAN": "IDNUM",
    "ACCOUNT": "IDNUM", "LICENSE": "IDNUM", "VEHICLE": "IDNUM", "DEVICE": "IDNUM", "BIOID": "IDNUM",
}

#: The columns of a model's output, in BIO.
COLUMNS = ["O"] + [f"{prefix}-{label}" for label in LEARNED for prefix in "BI"]
COLUMN = {name: index for index, name in enumerate(COLUMNS)}


def learned(label):
    """The learned label of one of the guideline."""
    label = _MERGED.get(label, label)
    if label not in LEARNED:
        raise ValueError(f"`{label}` is no label of the guideline")
    return label


#: What general named-entity corpora tell: a person, place or organization is one of these, and a word outside them may still be any
#: of the labels that they do not mark. Both are learned as sets: the model may put its weight on any member.
GENERAL = {
    "person": ["PATIENT", "DOCTOR"],
    "location": ["CITY", "STATE", "COUNTRY", "LOCATION-OTHER", "STREET", "HOSPITAL"],
    "organization": ["ORGANIZATION", "HOSPITAL"],
}
GENERAL_SILENT = ["AGE", "DATE", "TIME", "PROFESSION", "PHONE", "URL", "IDNUM", "ZIP", "USERNAME"]
