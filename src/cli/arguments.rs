//! Arguments that several subcommands share, and the objects that they describe.

mod named_files;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};

pub(super) use self::named_files::{
    ensemble_file, key_of, label_map, policy_named, read, read_bytes, surrogate_options, templates_in,
};
use self::named_files::{faulty, refuse_key_itself};
use super::inclusion;
use crate::corpus::records::PatientColumns;
use crate::corpus::schema::{ColumnOptions, Preset};
use crate::corpus::source::refuse_broken_lines;
use crate::corpus::{
    CorpusError, Deidentifier, JobOptions, Location, PatientRecords, Place, Result, StoreOptions, no_key,
};
use crate::detect::neural::{Device, RuntimeChoice, RuntimeOptions};
use crate::detect::{Ensemble, Half, InclusionList, Shipped, SiteDictionary, Templates};
use crate::phi::{Label, Policy};
use crate::serve::access::check_private;
use crate::surrogate::{Key, Replacement, SurrogateOptions};
use crate::text::ContextMode;

/// Column roles of a known schema.
#[derive(Debug, Clone, Copy, ValueEnum, Default)]
pub(super) enum Schema {
    /// What `plainsight generate` writes
    #[default]
    Plainsight,
    /// The OMOP common data model's NOTE and PERSON
    Omop,
    /// MIMIC-III's NOTEEVENTS and PATIENTS
    Mimic,
}

/// The roles of columns.
#[derive(Debug, Args)]
pub(super) struct ColumnArguments {
    /// The schema whose column names are known
    #[arg(long, value_enum, default_value_t)]
    schema: Schema,
    /// Roles of columns, separated by commas: text=NAME is de-identified, date=NAME shifted, id=NAME made a pseudonym; so are note=NAME and
    /// patient=NAME, which tell the note and whose it is
    #[arg(long, value_name = "ROLE=NAME,…", value_delimiter = ',')]
    columns: Vec<String>,
    /// Columns whose values are replaced as they are in their patient's notes: MEDICALRECORD=NAME, PATIENT=NAME, and so on with other
    /// labels, separated by commas. Integers become strings, for a surrogate may begin with a zero; what the policy keeps stays
    #[arg(long, value_name = "LABEL=NAME,…", value_delimiter = ',')]
    map_columns: Vec<String>,
    /// The date of the note: dates without a year in its texts are of the year in which they are nearest to it, and so shift by whole days
    /// of that year's calendar [default: they move on a circle of 365 days]
    #[arg(long, value_name = "NAME")]
    anchor_column: Option<String>,
    /// Columns that pass as they are, whatever role they would have. A column that no option and no schema names stops the run
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    keep_columns: Vec<String>,
    /// Columns that are left out, whatever role they would have
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    drop_columns: Vec<String>,
}

impl ColumnArguments {
    pub(super) fn options(&self) -> Result<ColumnOptions> {
        let roles = self.columns.iter().map(|pair| ColumnOptions::pair(pair));
        let mapped = self.map_columns.iter().map(|pair| ColumnOptions::mapped(pair));
        Ok(ColumnOptions {
            preset: self.preset(),
            columns: roles.chain(mapped).collect::<Result<_>>()?,
            keep: self.keep_columns.clone(),
            drop: self.drop_columns.clone(),
            anchor: self.anchor_column.clone(),
        })
    }

    pub(super) fn preset(&self) -> Preset {
        match self.schema {
            Schema::Plainsight => Preset::Plainsight,
            Schema::Omop => Preset::Omop,
            Schema::Mimic => Preset::Mimic,
        }
    }
}

/// The notes of a job, and what it works with.
#[derive(Debug, Args)]
pub(super) struct CorpusArguments {
    /// The notes: a Parquet, JSON Lines or text file, a folder of them, a Hive-partitioned tree, or a Delta table; a local path, s3://, gs://
    /// or az://
    #[arg(long, value_name = "URI")]
    notes: String,
    #[command(flatten)]
    pub(super) source: SourceArguments,
    /// A local folder where stages hand on their tables, and refused rows are listed: confidential. Kept when given [default: the
    /// output's name + `.work`, or one in the temporary folder; removed at the end unless rows were refused or offsets mapped]
    #[arg(long, value_name = "DIR")]
    work: Option<String>,
    #[command(flatten)]
    pub(super) columns: ColumnArguments,
    /// With which lines a sentence of up to four words is counted, listed and judged: none, short (the line before) or around (the lines before
    /// and after)
    #[arg(long, value_name = "none|short|around", default_value = "short", value_parser = context_mode)]
    pub(super) context: ContextMode,
    /// How many workers, 1024 at most [default: one a processor]
    #[arg(long, value_name = "N", value_parser = some_workers)]
    partitions: Option<NonZeroUsize>,
    /// How much memory the engine may hold before it writes to disk: 512MiB, 2GiB [default: as much as it wants]
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    pub(super) memory: Option<u64>,
}

impl CorpusArguments {
    /// The notes, for others to find.
    pub(super) fn place(&self) -> Result<Place> {
        Ok(self.source.place(&self.source.location(&self.notes)?))
    }

    /// Whether the user says where stages work.
    pub(super) fn has_work(&self) -> bool {
        self.work.is_some()
    }

    /// The options of a job whose result goes to `out`, where it has one.
    pub(super) fn options(&self, out: Option<&Location>) -> Result<JobOptions> {
        let work = match (&self.work, out) {
            (Some(work), _) => work.clone(),
            (None, Some(out)) => default_work(out),
            (None, None) => {
                let name = format!("plainsight-{}.work", std::process::id());
                std::env::temp_dir().join(name).to_string_lossy().into_owned()
            }
        };
        if self.work.is_none() && out.is_none_or(|out| out.local_path().is_none()) {
            refuse_foreign(Path::new(&work))?;
        }
        Ok(JobOptions {
            notes: self.source.location(&self.notes)?,
            patients: None,
            work: Location::parse(&work)?,
            keep_work: self.work.is_some(),
            cache: None,
            memory: self.memory,
            columns: self.columns.options()?,
            partitions: workers(self.partitions),
            map_offsets: false,
        })
    }
}

/// Where stages work when the user does not say: beside a local output, else in the temporary folder; the same for each try.
pub(super) fn default_work(out: &Location) -> String {
    match out.local_path() {
        Some(_) => format!("{}.work", out.uri().trim_end_matches('/')),
        None => {
            let name = format!("plainsight-{}.work", &blake3::hash(out.url().as_str().as_bytes()).to_hex()[..16]);
            std::env::temp_dir().join(name).to_string_lossy().into_owned()
        }
    }
}

/// Refuses a folder in the temporary folder, where others may write, too, that is one of theirs, or a link.
fn refuse_foreign(folder: &Path) -> Result<()> {
    #[cfg(unix)]
    if let Ok(found) = std::fs::symlink_metadata(folder) {
        use std::os::unix::fs::MetadataExt;
        // SAFETY: `geteuid` has no conditions.
        if !found.is_dir() || found.uid() != unsafe { libc::geteuid() } {
            return Err(CorpusError::configuration(
                format!("`{}`, where stages would work, is a link or somebody else's", folder.display()),
                "name a folder of your own with --work, or another temporary folder with TMPDIR",
            ));
        }
    }
    Ok(())
}

/// How the stores of inputs are reached.
#[derive(Debug, Args)]
pub(super) struct SourceArguments {
    /// An option of the store of the notes and patients, over the environment's: a bucket of its own region, endpoint or credentials; secrets
    /// as KEY=env:NAME or KEY=file:PATH; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    source_option: Vec<String>,
}

impl SourceArguments {
    /// A location of notes, for others to find.
    pub(super) fn place(&self, location: &Location) -> Place {
        Place::of(location, &self.source_option)
    }

    /// A location of notes or patients.
    pub(super) fn location(&self, uri: &str) -> Result<Location> {
        // The one may lie in a store and the other on a disk, which has no options.
        let location = Location::parse(uri);
        if location.as_ref().is_ok_and(|location| location.local_path().is_some()) {
            return location;
        }
        Location::parse_with(uri, &StoreOptions::parse(&self.source_option)?)
    }
}

/// How the store of the output is reached.
#[derive(Debug, Args)]
pub(super) struct TargetArguments {
    /// An option of the store of the output, over the environment's; secrets as KEY=env:NAME or KEY=file:PATH; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    target_option: Vec<String>,
}

impl TargetArguments {
    /// A location of the output, for others to find.
    pub(super) fn place(&self, location: &Location) -> Place {
        Place::of(location, &self.target_option)
    }

    pub(super) fn location(&self, uri: &str) -> Result<Location> {
        Location::parse_with(uri, &StoreOptions::parse(&self.target_option)?)
    }
}

/// The key.
#[derive(Debug, Args)]
pub(super) struct KeyArguments {
    /// A file with the key, 64 hex digits, or - for standard input [default: the variable PLAINSIGHT_KEY]
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
}

impl KeyArguments {
    /// The key, where there is one.
    fn key(&self) -> Result<Option<Key>> {
        match (&self.key_file, std::env::var("PLAINSIGHT_KEY").map(zeroize::Zeroizing::new)) {
            (Some(file), _) => Ok(Some(key_of(file, "--key-file")?)),
            // An empty variable says nothing.
            (None, Ok(text)) if !text.trim().is_empty() => Ok(Some(Key::from_hex(&text)?)),
            (None, _) => Ok(None),
        }
    }

    /// The key.
    pub(super) fn required(&self) -> Result<Key> {
        self.key()?.ok_or_else(no_key)
    }

    /// Refuses a key that others can read in its file.
    fn check_private(&self) -> Result<()> {
        match &self.key_file {
            Some(file) if file.as_os_str() != "-" => {
                refuse_key_itself(file, "--key-file").and_then(|()| check_private(file, "--key-file"))
            }
            _ => Ok(()),
        }
    }
}

/// How identifiers are found and what becomes of them.
#[derive(Debug, Args)]
pub(super) struct DeidentifyArguments {
    /// The patients' structured records: names, addresses, numbers to be matched in their notes
    #[arg(long, value_name = "URI")]
    pub(super) patients: Option<String>,
    /// Columns of --patients that go by other names than the known ones: family_name=NAME, phones=NAME, and so on, separated by commas;
    /// unused=NAME passes a column over. A column that nobody knows stops the run
    #[arg(long, value_name = "FIELD=NAME,…", value_delimiter = ',')]
    patient_columns: Vec<String>,
    #[command(flatten)]
    key: KeyArguments,
    /// Sentences that pass untouched: a review file of `inclusion`, of which approved entries count, or a plain list, one a line
    #[arg(long, value_name = "FILE")]
    inclusion: Option<PathBuf>,
    /// The site's own terms, a label, a tab and a term a line; may be given several times
    #[arg(long, value_name = "FILE")]
    dictionary: Vec<PathBuf>,
    /// Sentence templates, a TOML file
    #[arg(long, value_name = "FILE")]
    templates: Option<PathBuf>,
    /// Who looks for identifiers: `shipped` (patterns, dictionaries, CRF and transformer), `fast` (the same without the transformer:
    /// many times faster, finds less), `knowledge` (patterns and dictionaries: finds least), or an ensemble.toml
    #[arg(long, value_name = "shipped|fast|knowledge|FILE", env = "PLAINSIGHT_ENSEMBLE", default_value = "shipped")]
    ensemble: String,
    #[command(flatten)]
    device: DeviceArguments,
}

/// What computes the trained models.
#[derive(Debug, Args)]
pub(super) struct DeviceArguments {
    /// Where models compute: auto, cpu, cuda[:N] or tensorrt[:N]. One that is named and cannot be used stops the run
    #[arg(long, value_name = "DEVICE", default_value = "auto")]
    device: Device,
    /// By what: auto (ONNX Runtime where its library is found, else rten), rten (built in), onnxruntime
    #[arg(long, value_name = "RUNTIME", default_value = "auto")]
    runtime: RuntimeChoice,
    /// The library of ONNX Runtime [default: the variable ORT_DYLIB_PATH, then the usual names]
    #[arg(long, value_name = "FILE")]
    onnxruntime: Option<PathBuf>,
}

impl DeviceArguments {
    pub(super) fn options(&self) -> RuntimeOptions {
        RuntimeOptions { device: self.device, runtime: self.runtime, library: self.onnxruntime.clone(), threads: None }
    }
}

/// Which identifiers are replaced, and by what.
#[derive(Debug, Args)]
pub(super) struct PolicyArguments {
    /// What is removed: A (Safe Harbor), B (staff, user names and states too), C (hospitals, their units and countries too), D (professions,
    /// weekdays and holidays too), or a TOML file
    #[arg(long, value_name = "A|B|C|D|FILE", default_value = "C")]
    policy: String,
    /// What stands in its place: surrogate, tag, numbered-tag, angle-tag, redact, mask or mask-whole
    #[arg(long, value_name = "MODE", default_value_t)]
    replace: Replacement,
    /// A TOML file whose table [surrogate] says how surrogates are made: the range of the date shift, ages over 89, area codes
    #[arg(long, value_name = "FILE")]
    surrogate_options: Option<PathBuf>,
}

impl DeidentifyArguments {
    /// What the flags name to be read, by flag; keys are told by what is in them.
    pub(super) fn inputs(&self) -> Result<Vec<(&'static str, Location)>> {
        let files = [("--inclusion", &self.inclusion), ("--templates", &self.templates)];
        let files = files.into_iter().filter_map(|(flag, file)| Some((flag, file.as_ref()?)));
        let files = files.chain(self.dictionary.iter().map(|file| ("--dictionary", file)));
        let files = files.map(|(flag, file)| (flag, file.to_string_lossy().into_owned()));
        let patients = self.patients.iter().map(|uri| ("--patients", uri.clone()));
        patients.chain(files).map(|(flag, place)| Ok((flag, Location::parse(&place)?))).collect()
    }

    /// The ensemble that the arguments name, or one half of it.
    pub(super) fn ensemble(&self, half: Half) -> Result<Ensemble> {
        self.opener(half, None, None)?()
    }

    /// What opens it: the site's lists are read at once, models when it is called.
    fn opener(
        &self,
        half: Half,
        policy: Option<&Policy>,
        context: Option<ContextMode>,
    ) -> Result<impl Fn() -> Result<Ensemble> + Send + Sync + 'static> {
        let mut lists = (self.inclusion_list(context)?, self.template_set()?);
        if let Some(policy) = policy {
            let all = lists.1.len();
            lists.1 = lists.1.usable_where(|class| !policy.removes(class));
            super::progress::warn_of_templates(all - lists.1.len());
        }
        let site = |file: &PathBuf| -> Result<Arc<SiteDictionary>> {
            let terms = SiteDictionary::parse(&read(file, "--dictionary")?);
            Ok(Arc::new(terms.map_err(faulty(file, "--dictionary", "write a label, a tab and a term a line"))?))
        };
        let sites = self.dictionary.iter().map(site).collect::<Result<Vec<_>>>()?;
        let (name, options) = (self.ensemble.clone(), self.device.options());
        if name == "knowledge" && half == Half::Learned {
            return Err(CorpusError::configuration(
                "--ensemble knowledge has no trained members",
                "leave out --detectors learned, or give --ensemble shipped",
            ));
        }
        Ok(move || {
            let lists = lists.clone();
            let ensemble = match name.as_str() {
                "knowledge" => Ensemble::knowledge(lists.0, lists.1),
                "shipped" => Ensemble::shipped(Shipped::Whole, lists, half, &options)?,
                "fast" => Ensemble::shipped(Shipped::Fast, lists, half, &options)?,
                file => Ensemble::open(ensemble_file(file, "shipped, fast, knowledge")?, lists, half, &options)?,
            };
            Ok(sites.iter().fold(ensemble, |ensemble, site| ensemble.with_site_dictionary(Arc::clone(site))))
        })
    }

    /// The finder and replacer that the arguments describe, with one half of the ensemble or both, and the patients where `source` reaches them. A
    /// key is read if there is one.
    pub(super) async fn deidentifier_of(
        &self,
        half: Half,
        policy: Option<&PolicyArguments>,
        preset: Preset,
        context: ContextMode,
        source: Option<&SourceArguments>,
    ) -> Result<Deidentifier> {
        let removes = policy.map(PolicyArguments::checked).transpose()?;
        let ensemble = self.opener(half, removes.as_ref(), Some(context))?;
        let mut deidentifier = Deidentifier::new().with_ensemble(ensemble).with_context(context);
        if let Some(key) = self.key.key()? {
            deidentifier = deidentifier.with_key(key);
        }
        if let Some((policy, removes)) = policy.zip(removes) {
            deidentifier = deidentifier.with_policy(removes, policy.replace);
            deidentifier = deidentifier.with_surrogate_options(policy.surrogate_options()?);
        }
        if let Some(patients) = &self.patients {
            let patients = source.map_or_else(|| Location::parse(patients), |source| source.location(patients))?;
            let columns = PatientColumns::new(preset, &self.patient_columns)?;
            deidentifier = deidentifier.with_records(patient_records(&patients, columns).await?);
        }
        Ok(deidentifier)
    }

    /// Refuses a key that others can read in its file.
    pub(super) fn check_key_is_private(&self) -> Result<()> {
        self.key.check_private()
    }

    /// Whether a list or templates are given.
    pub(super) fn has_lists(&self) -> bool {
        self.inclusion.is_some() || self.templates.is_some()
    }

    /// The list, which must know its sentences by the same context as the run does.
    fn inclusion_list(&self, context: Option<ContextMode>) -> Result<InclusionList> {
        let Some(file) = &self.inclusion else { return Ok(InclusionList::default()) };
        let text =
            if inclusion::is_parquet(file) { inclusion::open(file)?.to_csv() } else { read(file, "--inclusion")? };
        let hint = "give a review file of `plainsight inclusion`, or a sentence a line";
        let list = InclusionList::parse(&text).map_err(faulty(file, "--inclusion", hint))?;
        match (list.context(), context) {
            (Some(own), Some(asked)) if own != asked => Err(CorpusError::configuration(
                format!(
                    "the inclusion list was made with --context {}, and this is --context {}",
                    own.name(),
                    asked.name()
                ),
                "give the list's own, or build a list with this one",
            )),
            _ => Ok(list),
        }
    }

    fn template_set(&self) -> Result<Templates> {
        match &self.templates {
            Some(file) => templates_in(file, "--templates"),
            None => Ok(Templates::default()),
        }
    }
}

impl PolicyArguments {
    /// The files that the flags name to be read, by flag.
    pub(super) fn inputs(&self) -> Result<Vec<(&'static str, Location)>> {
        let policy = Policy::named(&self.policy).is_err().then(|| ("--policy", self.policy.clone()));
        let options = self.surrogate_options.as_ref();
        let options = options.map(|file| ("--surrogate-options", file.to_string_lossy().into_owned()));
        let files = policy.into_iter().chain(options);
        files.map(|(flag, place)| Ok((flag, Location::parse(&place)?))).collect()
    }

    /// The policy; one that the mode cannot do is refused.
    fn checked(&self) -> Result<Policy> {
        let policy = policy_named(&self.policy)?;
        if self.replace == Replacement::Surrogate && policy.removes(Label::Time.into()) {
            return Err(CorpusError::configuration(
                "the policy removes TIME, and no surrogate stands for a time of day: it would stay",
                "keep TIME, or --replace tag, redact or mask",
            ));
        }
        Ok(policy)
    }

    fn surrogate_options(&self) -> Result<SurrogateOptions> {
        surrogate_options(self.surrogate_options.as_deref())
    }
}

/// The patients' records at a location. An alias that a second one has taken the place of would be left in the notes, and so lines with a key
/// twice are refused.
pub(super) async fn patient_records(location: &Location, columns: PatientColumns) -> Result<PatientRecords> {
    refuse_broken_lines(location).await?;
    PatientRecords::load(location, columns).await
}

pub(super) fn context_mode(name: &str) -> Result<ContextMode, String> {
    name.parse()
}

/// A number of bytes: `2GiB`, `512 MiB`, `1000000`.
pub(super) fn memory_size(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 8] = [
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("TiB", 1 << 40),
        ("KB", 1_000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("B", 1),
    ];
    let text = text.trim();
    let found = UNITS.iter().find_map(|(unit, bytes)| Some((text.strip_suffix(unit)?, *bytes)));
    let (number, unit) = found.unwrap_or((text, 1));
    let bytes = number.trim().parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    match bytes {
        Some(bytes) if bytes >= LEAST_MEMORY => Ok(bytes),
        Some(_) => Err("the least is 64MiB".to_owned()),
        None => Err("write a whole number and a unit: 512MiB, 2GiB".to_owned()),
    }
}

/// With less the engine cannot even merge what it has written to disk.
const LEAST_MEMORY: u64 = 64 << 20;

/// How many workers, where the user does not say.
pub(super) fn available_workers() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// More threads than any machine has use for take longer to make than they work.
const MOST_WORKERS: usize = 1024;

/// Reads a number of workers.
fn some_workers(text: &str) -> Result<NonZeroUsize, String> {
    let number: NonZeroUsize = text.parse().map_err(|_| "it is no number of workers".to_owned())?;
    if number.get() > MOST_WORKERS { Err(format!("it is {MOST_WORKERS} at most")) } else { Ok(number) }
}

/// How many workers, as the user says or one for each processor; batches are spread over as many threads.
pub(super) fn workers(asked: Option<NonZeroUsize>) -> usize {
    let workers = asked.map_or_else(available_workers, NonZeroUsize::get).min(MOST_WORKERS);
    // They are made once in a process, which has one subcommand.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(workers).build_global();
    workers
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn work_in_the_temporary_folder_is_not_led_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let (own, link) = (folder.path().join("own"), folder.path().join("link"));
        assert!(refuse_foreign(&own).is_ok());
        std::fs::create_dir(&own).unwrap();
        std::os::unix::fs::symlink(&own, &link).unwrap();
        assert!(refuse_foreign(&own).is_ok());
        assert!(refuse_foreign(&link).unwrap_err().is_usage());
    }
}
