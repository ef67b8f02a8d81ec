//! Runs that are killed, cut off from their store and started again, until they end: the output must be that of a run that nobody
//! disturbed, and at no moment may a reader take it for whole before it is.
//!
//! ```text
//! PLAINSIGHT_FAULT_RUNS=200   cargo test --test it faults::      200 runs with the seeds 0 to 199; 20 by default
//! PLAINSIGHT_FAULT_RUNS=17-17 cargo test --test it faults::      the run with the seed 17 again
//! ```

pub mod attempt;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;

use super::chance::Chance;
use super::output::{Output, difference};
use super::proxy::{Fault, Proxy, Weather};
use super::s3::{BUCKET, Server};
use super::support::{Place, files_below};
use attempt::{Blow, End, Moment, attempt, program};

const NOTES: u64 = 300;
/// A run that asks for more restarts of its own than this does not get on.
const MOST_TEMPORARY: usize = 12;
/// Every so many runs the store is gone until the program gives up.
const OUTAGE_EVERY: u64 = 20;
/// Most blows are those that nobody can get ready for.
const BLOWS: [Blow; 4] = [Blow::Kill, Blow::Kill, Blow::Kill, Blow::Terminate];

/// Notes somewhere, and what a run that nobody disturbs makes of them.
struct Scene<'a> {
    name: &'static str,
    place: &'a Place,
    server: Option<&'a Server>,
    notes: String,
    patients: String,
    output: Output,
    clean: BTreeMap<String, Bytes>,
    duration: Duration,
}

/// What one run went through.
#[derive(Default)]
struct Survived {
    blows: usize,
    faults: usize,
    restarts: usize,
}

/// Notes of some patients in many files, as Parquet and as JSON Lines.
fn warehouse() -> Place {
    let place = Place::new();
    let notes = NOTES.to_string();
    place.succeed(&["generate", "--notes", &notes, "--patients", "30", "--seed", "11", "--out", "wh"]);
    for format in ["PARQUET", "JSON"] {
        let copy =
            format!("COPY (SELECT * FROM 'wh/notes/') TO '{format}/' STORED AS {format} PARTITIONED BY (note_type)");
        place.succeed(&["sql", "-c", &copy]);
        assert!(files_below(&place.path(format)).len() >= 8, "too few units");
    }
    place
}

impl<'a> Scene<'a> {
    fn local(place: &'a Place, name: &'static str, format: &str) -> Self {
        let path = |name: &str| place.path(name).to_str().unwrap().to_owned();
        let output = Output::Local(place.path(&format!("out-{format}")));
        Self::with_clean_run(place, None, name, path(format), path("wh/patients"), output)
    }

    fn remote(place: &'a Place, server: &'a Server, name: &'static str, format: &str) -> Self {
        let bucket = server.bucket(BUCKET);
        let (notes, patients) = (bucket.folder("notes"), bucket.folder("patients"));
        notes.upload(&place.path(format));
        patients.upload(&place.path("wh/patients"));
        let output = Output::Remote(bucket.folder("out"));
        Self::with_clean_run(place, Some(server), name, notes.uri(), patients.uri(), output)
    }

    fn with_clean_run(
        place: &'a Place,
        server: Option<&'a Server>,
        name: &'static str,
        notes: String,
        patients: String,
        output: Output,
    ) -> Self {
        let (clean, duration) = Default::default();
        let mut scene = Self { name, place, server, notes, patients, output, clean, duration };
        scene.forget();
        let begun = Instant::now();
        let end = scene.attempt(None, None).unwrap();
        scene.duration = begun.elapsed();
        assert_eq!(end, End::Done, "{name}: nobody disturbed this run");
        scene.output.check(NOTES).unwrap();
        scene.clean = scene.output.lasting();
        scene
    }

    fn attempt(&self, plan: Option<&(Moment, Blow)>, proxy: Option<&Proxy>) -> Result<End, String> {
        let account = self.server.map(|server| match proxy {
            Some(proxy) => server.account().by_way_of(proxy.endpoint()),
            None => server.account().clone(),
        });
        let out = self.output.uri();
        let arguments = [
            ["--notes", &self.notes],
            ["--patients", &self.patients],
            ["--out", &out],
            ["--key-file", "key"],
            ["--ensemble", "knowledge"],
            ["--work", "work"],
            ["--cache", "cache"],
        ];
        let arguments = [&["run"], arguments.as_flattened()].concat();
        attempt(&mut program(self.place, account.as_ref(), &arguments), plan, &self.output, proxy)
    }

    /// Runs, with blows drawn from the seed, until the program says that it is done.
    fn survive(&self, seed: u64) -> Result<Survived, String> {
        let mut chance = Chance::new(seed);
        let weather = Weather { seed, share: 0.06, faults: &Fault::OF_A_REQUEST, bursts: 0.004 };
        let proxy = self.server.map(|server| Proxy::start(&server.account().endpoint, weather));
        let outage = proxy.is_some() && seed % OUTAGE_EVERY == 5;
        let blows = 1 + chance.below(3);
        let (mut survived, mut temporary) = (Survived::default(), 0);
        loop {
            let plan = (survived.restarts < blows).then(|| match outage && survived.restarts == 0 {
                true => (Moment::Time(self.duration.mul_f64(chance.fraction() * 0.8)), Blow::Outage),
                false => (self.moment(seed, survived.restarts, &mut chance), *chance.one_of(&BLOWS)),
            });
            match self.attempt(plan.as_ref(), proxy.as_ref()).map_err(|error| format!("{plan:?}: {error}"))? {
                End::Done => break,
                End::Struck => survived.blows += 1,
                End::Temporary => {
                    temporary += 1;
                    std::thread::sleep(Duration::from_millis(200));
                }
            }
            if temporary > MOST_TEMPORARY {
                return Err(format!("asked to be started again {temporary} times"));
            }
            survived.restarts += 1;
            if seed / 4 % 2 == 1 {
                self.forget_work();
            }
        }
        let differing = difference(&self.output.lasting(), &self.clean);
        if !differing.is_empty() {
            return Err(format!("unlike those of a run that nobody disturbed: {differing:?}"));
        }
        self.output.check(NOTES)?;
        survived.faults = proxy.map(|proxy| proxy.counts().values().sum()).unwrap_or_default();
        Ok(survived)
    }

    /// When to strike. The kinds take turns, so that every stretch of a run is struck: its time, its stages, its files.
    fn moment(&self, seed: u64, blow: usize, chance: &mut Chance) -> Moment {
        match (seed as usize / 8 + blow) % 3 {
            0 => Moment::Time(self.duration.mul_f64(chance.fraction() * 1.1)),
            1 => Moment::Stages(chance.below(9), Duration::from_millis(chance.below(60) as u64)),
            _ => {
                let records = [
                    "_plainsight/writer.json".to_owned(),
                    "_plainsight/parts/".to_owned(),
                    "_plainsight/run.json".to_owned(),
                ];
                let files: Vec<_> = self.clean.keys().cloned().chain(records).collect();
                Moment::File(chance.one_of(&files).clone())
            }
        }
    }

    /// Everything as before the first run.
    fn forget(&self) {
        self.output.clear();
        self.forget_work();
    }

    fn forget_work(&self) {
        for folder in ["work", "cache"] {
            drop(std::fs::remove_dir_all(self.place.path(folder)));
        }
    }
}

/// Has a reader look at the output all the time that something is done; what misled it is an error.
pub fn watched<T>(output: &Output, action: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                if let Some(torn) = output.torn() {
                    return Err(format!("a reader was misled: {torn}"));
                }
                std::thread::sleep(Duration::from_millis(10));
            }
            Ok(())
        });
        let result = action();
        over.store(true, Ordering::Relaxed);
        reader.join().unwrap().and(result)
    })
}

/// Which seeds are asked for.
pub fn seeds() -> Range<u64> {
    let Ok(wanted) = std::env::var("PLAINSIGHT_FAULT_RUNS") else { return 0..20 };
    let number = |text: &str| text.parse::<u64>().expect("PLAINSIGHT_FAULT_RUNS is a number, or FIRST-LAST");
    match wanted.split_once('-') {
        Some((first, last)) => number(first)..number(last) + 1,
        None => 0..number(&wanted),
    }
}

#[test]
fn a_run_survives_kills_and_faults() {
    let place = warehouse();
    let server = Server::given_or_started();
    let scenes = [
        Scene::local(&place, "local, Parquet", "PARQUET"),
        Scene::remote(&place, &server, "S3, Parquet", "PARQUET"),
        Scene::local(&place, "local, JSON Lines", "JSON"),
        Scene::remote(&place, &server, "S3, JSON Lines", "JSON"),
    ];
    let ids: BTreeSet<_> = place.values("out-PARQUET", "note_id").into_iter().collect();
    assert_eq!(ids.len() as u64, NOTES, "every note once");
    // Straight to standard error: the count is to be seen where the tests pass too.
    let tell = |text: String| writeln!(std::io::stderr(), "{text}").unwrap();
    let (seeds, mut failures, mut total) = (seeds(), Vec::new(), Survived::default());
    let wanted = seeds.end - seeds.start;
    for seed in seeds {
        let scene = &scenes[seed as usize % scenes.len()];
        scene.forget();
        match watched(&scene.output, || scene.survive(seed)) {
            Ok(Survived { blows, faults, restarts }) => {
                total.blows += blows;
                total.faults += faults;
                total.restarts += restarts;
            }
            Err(reason) => failures.push(format!("seed {seed} ({}): {reason}", scene.name)),
        }
    }
    let Survived { blows, faults, restarts } = total;
    let ended = wanted - failures.len() as u64;
    tell(format!("survived {ended} of {wanted} ({blows} kills, {faults} faults, {restarts} restarts)"));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    // Few seeds may be lucky; that many are not.
    assert!(wanted < 8 || (blows > 0 && faults > 0 && restarts > 0), "nothing was survived");
}
