"""Numbers that are no identifiers: laboratory values, vital signs, doses, scores, settings, sizes, codes, in the telegrams of the wards.

    "ABG 7.31/38/88/19, lac 3.1"      "T 38.4 HR 112 BP 94/51 RR 22 SpO2 93% 2L"      "I/O 2240/1985, UOP 1350"

A stretch is `#` for a digit, drawn anew each time; the rest stays.
"""

import re

_STRETCHES = """
T 3#.#|T 10#.#|Tmax 38.#|T>38.#|HR 1##|HR ##|P ##|RR ##|BP 1##/##|1##/##|BP ##/##|MAP ##|SpO2 9#%|sat 9#% RA|9#% on #L|O2 # L NC|HFNC ##/##|FiO2 .##|FiO2 ##%|PEEP #|Vt ###|PIP ##|rate ##
Na 13#|K #.#|Cl 10#|CO2 ##|BUN ##|Cr #.#|Cr #.## (baseline #.#)|gluc 1##|glucose ###-###|FSBG ###|A1c #.#|A1c #.#%|Ca #.#|Mg #.#|Phos #.#|AST/ALT ##/##|AST/ALT 1##/2##|ALP ###|TBili #.#|alb #.#|lip 1###|lactate #.#|lac #.#
WBC ##.#|Hgb #.#|Hgb 1#.#|H/H #.#/##|H&H 1#/3#|Hct 3#.#|plt ###|plts ##K|INR #.#|PTT ##|PT ##.#|fibrinogen ###|D-dimer ####|trop 0.0#|hs-trop ## -> ##|BNP ####|proBNP 1,###|CRP ##|ESR ##|procal 0.##|TSH #.##|ferritin ###|CA 19-9 1,###|CA-125 ##|CEA #.#|PSA #.#|AFP ##|hCG ####
ABG 7.##/##/###/##|VBG 7.##/##|7.##/##/##/##|BE -#|iCa 1.##|Na/K 1##/#.#|osm 2##|EGFR ##|eGFR >##|GFR ##|UOP ###|UOP ## cc/hr|I/O ####/####|net -###|EBL ### mL|drain ## cc|CT output ###|PVR ##|wt ##.# kg|Wt 1## lb|BMI ##.#|Ht 5'#"|###cm|##kg
## mg|#.# mg bid|### mg/dL|## mcg/kg/min|# mg IV x#|##u qhs|## units|1#-##-## units|#g q#h|### mL/h|##% TBSA|1:###|1:1000|#-# tabs|#/# strength|## mEq|5000 u|##,000 units|#.##%|D5 1/2 NS @ ##
EF ##%|LVEF ##-##|EF ##|AVA #.# cm2|mean grad ##|Vmax #.# m/s|RVSP ##|QTc ###|PR ###|QRS ##|LAD ##%|RCA ##%|TIMI #|NYHA II|CHA2DS2-VASc #|HAS-BLED #|GRACE ###|MELD ##|MELD-Na ##|Child-Pugh #|GCS ##|GCS #|NIHSS #|mRS #|ASA #|Apgar #/#|Apgars # and #|MMSE ##/30|MoCA ##/30|PHQ-9 ##|PHQ9 = ##|GAD-7: ##|AUDIT-C #|CIWA ##|COWS #|Braden ##|Morse ##|FLACC #|RASS -#|pain #/10|#/10|#/# strength|#/5|ROM 0-1##|0-##-###|DTR #+|pulses #+|edema #+
#.# x #.# cm|## x ## mm|# cm|#.# cm|##F|#Fr|## Fr|#-0 vicryl|#-0|22g|18 ga|#mm stent|#.#x## mm|size #|#.# ETT @ ## lip|L#-#|C#-C#|T#|L4-5|C5/6|T12 fx|level ##|series #|image ##|im ##|grade #|stage III|pT#N#M#|T#N#|G#P####|G#P#|LMP # wks|##w#d|## wks|GA ##+#|# weeks|POD #|POD# #|HD ##|day ##|x##h|q##h|x# days|## min|##-## min|## yrs ago|#.# hours|# of ##|pg #/#|page # of #|#/## positive|##-pack-year|## pk-yr|CPT 9####|CPT #####|ICD M##.#|Z##.##|E11.##|I10|99###|modifier ##|J####|DRG ###|rev code ####|NDC #####-####-##|BIN 0#####|qty ##|#30|RF #|refill x#|disp ##
spO2 goal 9#-9#|target 0.#-0.#|range 3.5-5.#|(3.5-5.#)|(ref 1##-4##)|<0.#|>##|+#|-#|=#|~##|#-#x/wk|#x daily|# drinks/day|1 ppd x ## y|##%ile|z -#.#|SD #.#|##th %ile|p ##|rows ##|lane #|cassette #|Fe ##|TIBC ###|vanc trough ##.#|tac #.#|dig 0.#|Li 0.#|phenytoin ##.#|VPA ##|CD4 ###|VL <##|ANC ####|retic #.#%|MCV ##|RDW ##.#|B12 ###|D ##|HDL ##|LDL ###|TG ###|TC ###|UA SG 1.0##|pH #.#|WBC ##/hpf|>100,000 CFU|cx neg x##h|BCx # of 2|Gram stain 4+
"""
STRETCHES = [stretch.strip() for line in _STRETCHES.splitlines() for stretch in line.split("|") if stretch.strip()]


def stretch(rng):
    """One measurement."""
    return re.sub("#", lambda _: rng.choice("0123456789"), rng.choice(STRETCHES))


def telegram(rng):
    """Several of them, as one hand writes them."""
    separator = rng.choice([", ", "  ", " ", "; ", " / ", " | "])
    return separator.join(stretch(rng) for _ in range(rng.randint(1, 6)))


def beside(text, spans, rng):
    """A sentence with measurements before or after it; its spans moved along."""
    joint = rng.choice([" ", ", ", ". ", " - ", "; ", "  "])
    if rng.random() < .5:
        return text.rstrip(" .") + joint + telegram(rng), spans
    before = telegram(rng) + joint
    return before + text, [(start + len(before), end + len(before), label) for start, end, label in spans]
