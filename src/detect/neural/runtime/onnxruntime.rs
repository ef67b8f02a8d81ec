//! ONNX Runtime, from a library that is loaded when first used.
//!
//! A program has one such library, for good: the first that is loaded. The providers of GPUs are parts of that library (and
//! of those beside it), so that the same program runs with or without them.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ort::environment::Environment;
use ort::ep::{CUDA, ExecutionProvider, ExecutionProviderDispatch, TensorRT};
use ort::memory::{AllocationDevice, AllocatorType, MemoryInfo, MemoryType};
use ort::session::Session;
use ort::session::builder::{AutoDevicePolicy, GraphOptimizationLevel};
use ort::value::{DynValue, Tensor, TensorElementType};

use super::fused::fused;
use super::shared::Shared;
use super::{Batch, Inputs, Logits, OpenError, Runtime, RuntimeInUse, RuntimeOptions};
use crate::detect::neural::device::Device;
use crate::detect::neural::error::NeuralError;

/// Names the library, where no path is given.
const VARIABLE: &str = "ORT_DYLIB_PATH";

/// What the library is usually called; the system's loader and the program's own folder are searched.
const NAMES: &[&str] = if cfg!(windows) {
    &["onnxruntime.dll"]
} else if cfg!(target_os = "macos") {
    &["libonnxruntime.dylib"]
} else {
    &["libonnxruntime.so", "libonnxruntime.so.1"]
};

/// A library that is loaded, for good.
#[derive(Clone)]
pub(super) struct Library {
    path: PathBuf,
    version: String,
    environment: Environment,
}

/// The library of this program.
static LOADED: Mutex<Option<Library>> = Mutex::new(None);

/// Whether the options or the variable name a library.
pub(super) fn is_asked_for(options: &RuntimeOptions) -> bool {
    !asked_for(options).as_os_str().is_empty()
}

fn asked_for(options: &RuntimeOptions) -> PathBuf {
    options.library.clone().or_else(|| std::env::var_os(VARIABLE).map(PathBuf::from)).unwrap_or_default()
}

/// Loads the library, unless one is loaded.
pub(super) fn load(options: &RuntimeOptions) -> Result<Library, NeuralError> {
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let asked_for = asked_for(options);
    if let Some(library) = loaded.as_ref() {
        let (asked, path) = (asked_for.display(), library.path.display());
        if !asked_for.as_os_str().is_empty() && !is_same_file(&asked_for, &library.path) {
            let reason = format!("`{asked}` is asked for, but `{path}` is loaded already, and a program has one");
            return Err(NeuralError::Library { reason });
        }
        return Ok(library.clone());
    }
    let candidates =
        if asked_for.as_os_str().is_empty() { NAMES.iter().map(PathBuf::from).collect() } else { vec![asked_for] };
    let mut reasons = Vec::new();
    for path in candidates {
        match load_from(&path) {
            Ok(library) => return Ok(loaded.insert(library).clone()),
            Err(reason) => reasons.push(reason),
        }
    }
    Err(NeuralError::Library { reason: reasons.join("; ") })
}

/// Loads one file, after a look at it: `ort` 2.0.0-rc.14 takes a library that failed to load for one that is loaded.
fn load_from(path: &Path) -> Result<Library, String> {
    let minor = ort::util::probe(path)
        .ok_or_else(|| format!("`{}` is not found, or is no library that loads here", path.display()))?;
    if minor < ort::MINOR_VERSION {
        return Err(format!("`{}` is 1.{minor}, which is older than 1.{}", path.display(), ort::MINOR_VERSION));
    }
    let builder = ort::init_from(path).map_err(|error| error.to_string())?;
    let environment = builder.with_telemetry(false).build().map_err(|error| error.message().to_owned())?;
    let commit =
        ort::info().split("git-commit-id=").nth(1).and_then(|rest| rest.split(',').next()).unwrap_or("unknown");
    Ok(Library { path: path.to_owned(), version: format!("1.{minor} (commit {commit})"), environment })
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    one == other || matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// A graph in ONNX Runtime.
pub(super) struct OnnxRuntime {
    /// One for a device, and several where processors compute: as many batches are computed at a time.
    sessions: Shared<Session>,
    inputs: Inputs,
    output: String,
    /// Whether the graph takes 64-bit numbers, by name of the input.
    wide: Vec<(String, bool)>,
    in_use: RuntimeInUse,
}

impl OnnxRuntime {
    /// Loads a graph; for a GPU one that is made from it, where that says the same.
    pub(super) fn open(graph: &[u8], shapes: bool, options: &RuntimeOptions) -> Result<Self, OpenError> {
        let mut opened = Self::open_as_it_is(graph, shapes, options)?;
        if let Device::Cuda(_) = opened.in_use.device {
            match opened.made_for_gpu(graph, shapes, options) {
                Ok(made) => opened = made,
                Err(reason) => opened.in_use.note = Some(format!("the graph is computed as it is, for {reason}")),
            }
        }
        Ok(opened)
    }

    /// What is made of the graph for the same device, or why it is not to be used.
    fn made_for_gpu(&self, graph: &[u8], shapes: bool, options: &RuntimeOptions) -> Result<Self, &'static str> {
        let made = fused(graph).ok_or("its layers are of another make than `models/training/export.py` writes")?;
        let options = RuntimeOptions { device: self.in_use.device, ..options.clone() };
        let mut made = Self::open_as_it_is(&made, shapes, &options).map_err(|_| "it cannot be computed otherwise")?;
        if !made.says_the_same(self) {
            return Err("it would say something else in half precision");
        }
        made.in_use.is_half = true;
        Ok(made)
    }

    pub(super) fn open_as_it_is(graph: &[u8], shapes: bool, options: &RuntimeOptions) -> Result<Self, OpenError> {
        let library = load(options)?;
        let (sessions, device, threads, note) = sessions_on(&library.environment, graph, options)?;
        let [session, ..] = sessions.as_slice() else { return Err(OpenError::Graph("no session was made".to_owned())) };
        let names = session.inputs().iter().map(|input| input.name());
        let inputs = Inputs::new(names, shapes).map_err(OpenError::Graph)?;
        let outputs: Vec<&str> = session.outputs().iter().map(|output| output.name()).collect();
        let output = super::output(&outputs).map_err(OpenError::Graph)?.to_owned();
        let is_wide = |input: &ort::value::Outlet| input.dtype().tensor_type() != Some(TensorElementType::Int32);
        let wide = session.inputs().iter().map(|input| (input.name().to_owned(), is_wide(input))).collect();
        let Library { path, version, .. } = library;
        let in_use = RuntimeInUse {
            runtime: "onnxruntime",
            version,
            device,
            threads,
            library: Some(path),
            is_half: false,
            note,
        };
        Ok(Self { sessions: Shared::new(sessions), inputs, output, wide, in_use })
    }

    /// Whether two sequences get about the same scores from another graph.
    pub(super) fn says_the_same(&self, other: &Self) -> bool {
        let (Ok(own), Ok(others)) = (self.logits(&trial()), other.logits(&trial())) else { return false };
        let greatest = others.values.iter().fold(0.0_f32, |greatest, score| greatest.max(score.abs()));
        let is_close = |(own, other): (&f32, &f32)| (own - other).abs() <= TOLERANCE * greatest;
        own.shape == others.shape && own.values.iter().zip(&others.values).all(is_close)
    }

    fn input(&self, name: &'static str, values: Vec<i32>, batch: &Batch) -> ort::Result<DynValue> {
        let shape = [batch.sequences, batch.length];
        if self.wide.iter().any(|(input, wide)| input == name && *wide) {
            let values: Vec<i64> = values.into_iter().map(i64::from).collect();
            return Ok(Tensor::from_array((shape, values))?.into_dyn());
        }
        Ok(Tensor::from_array((shape, values))?.into_dyn())
    }

    /// The sizes and numbers of the output for some inputs. A GPU writes them straight to memory that it shares with the processor.
    fn scores(&self, inputs: Vec<(&'static str, DynValue)>) -> ort::Result<Option<(Vec<usize>, Vec<f32>)>> {
        self.sessions.with_one(|session| self.scores_by(session, inputs))
    }

    fn scores_by(
        &self,
        session: &mut Session,
        inputs: Vec<(&'static str, DynValue)>,
    ) -> ort::Result<Option<(Vec<usize>, Vec<f32>)>> {
        let (Device::Cuda(number) | Device::TensorRt(number)) = self.in_use.device else {
            let outputs = session.run(inputs)?;
            return outputs.get(&self.output).map(read).transpose();
        };
        let mut binding = session.create_binding()?;
        for (name, value) in &inputs {
            binding.bind_input(*name, value)?;
        }
        let shared = MemoryInfo::new(
            AllocationDevice::CUDA_PINNED,
            number as i32,
            AllocatorType::Device,
            MemoryType::CPUOutput,
        )?;
        binding.bind_output_to_device(&self.output, &shared)?;
        let outputs = session.run_binding(&binding)?;
        binding.synchronize_outputs()?;
        outputs.get(&self.output).map(read).transpose()
    }
}

impl Runtime for OnnxRuntime {
    fn logits(&self, batch: &Batch) -> Result<Logits, NeuralError> {
        let fail = |error: ort::Error| NeuralError::Run { reason: error.message().to_owned() };
        let inputs =
            self.inputs.of(batch).into_iter().map(|(name, values)| Ok((name, self.input(name, values, batch)?)));
        let inputs = inputs.collect::<ort::Result<Vec<_>>>().map_err(fail)?;
        let (sizes, values) = self
            .scores(inputs)
            .map_err(fail)?
            .ok_or_else(|| NeuralError::Run { reason: "it gave no output".to_owned() })?;
        let shape = <[usize; 3]>::try_from(sizes)
            .map_err(|_| NeuralError::Run { reason: "its output is not sequences × pieces × columns".to_owned() })?;
        Ok(Logits { shape, values })
    }

    fn at_once(&self) -> usize {
        self.sessions.len()
    }

    fn in_use(&self) -> RuntimeInUse {
        self.in_use.clone()
    }
}

fn read(output: &DynValue) -> ort::Result<(Vec<usize>, Vec<f32>)> {
    let (shape, values) = output.try_extract_tensor::<f32>()?;
    Ok((shape.iter().filter_map(|&size| usize::try_from(size).ok()).collect(), values.to_vec()))
}

/// By which share of the greatest score a product in whole steps may differ from one in half precision.
const TOLERANCE: f32 = 0.25;

/// Two different sequences of pieces that every vocabulary has.
fn trial() -> Batch {
    let ids: Vec<i32> = (0..2 * 12).map(|at| 1 + at * 7 % 60).collect();
    Batch { sequences: 2, length: 12, shapes: ids.iter().map(|id| id % 8).collect(), ids }
}

type Opened = (Vec<Session>, Device, usize, Option<String>);

/// More sessions gain little, and each has the weights once more.
const MOST_SESSIONS: usize = 16;

/// Sessions on the device that is asked for; `auto` takes the first CUDA device where the library has one that works.
fn sessions_on(environment: &Environment, graph: &[u8], options: &RuntimeOptions) -> Result<Opened, OpenError> {
    match options.device {
        Device::Cpu => on_processor(environment, graph, options, None),
        Device::Cuda(_) | Device::TensorRt(_) => on_gpu(environment, graph, options.device, options)
            .map_err(|reason| NeuralError::Device { device: options.device, reason }.into()),
        Device::Auto if !CUDA::default().is_in_library() => on_processor(environment, graph, options, None),
        Device::Auto => on_gpu(environment, graph, Device::Cuda(0), options)
            .or_else(|reason| on_processor(environment, graph, options, Some(format!("no CUDA device: {reason}")))),
    }
}

/// Whether the library was built with a provider.
trait InLibrary: ExecutionProvider {
    fn is_in_library(&self) -> bool {
        Self::is_available().unwrap_or(false)
    }
}
impl InLibrary for CUDA {}
impl InLibrary for TensorRT {}

fn on_processor(
    environment: &Environment,
    graph: &[u8],
    options: &RuntimeOptions,
    note: Option<String>,
) -> Result<Opened, OpenError> {
    let threads = super::threads(options);
    // Threads that share a batch wait for one another at each of its steps.
    let count = threads.clamp(1, MOST_SESSIONS);
    let of_session = |at: usize| threads * (at + 1) / count - threads * at / count;
    let sessions = (0..count).map(|at| session(environment, graph, of_session(at), &[]));
    let sessions = sessions.collect::<ort::Result<_>>();
    let sessions = sessions
        .map_err(|error| OpenError::Graph(format!("ONNX Runtime cannot read the graph: {}", error.message())))?;
    Ok((sessions, Device::Cpu, threads, note))
}

fn on_gpu(environment: &Environment, graph: &[u8], device: Device, options: &RuntimeOptions) -> Result<Opened, String> {
    let cuda = |number: u32| {
        let provider = CUDA::default().with_device_id(number as i32).with_tf32(false);
        // Sums of normalizations stay in single precision.
        provider.with_skip_layer_norm_strict_mode(true).build().error_on_failure()
    };
    let (is_built_in, providers) = match device {
        Device::TensorRt(number) => {
            let tensorrt = TensorRT::default().with_device_id(number as i32).build().error_on_failure();
            (TensorRT::default().is_in_library(), vec![tensorrt, cuda(number)])
        }
        Device::Cuda(number) => (CUDA::default().is_in_library(), vec![cuda(number)]),
        Device::Auto | Device::Cpu => return Err("it is no GPU".to_owned()),
    };
    if !is_built_in {
        return Err("this ONNX Runtime was built without it; take one for GPUs".to_owned());
    }
    let threads = options.threads.map_or(1, std::num::NonZeroUsize::get);
    let session =
        session(environment, graph, threads, &providers).map_err(|error| error.message().trim().to_owned())?;
    Ok((vec![session], device, threads, None))
}

fn session(
    environment: &Environment,
    graph: &[u8],
    threads: usize,
    providers: &[ExecutionProviderDispatch],
) -> ort::Result<Session> {
    let builder = Session::builder(environment)?;
    // Left to itself a library may choose a device of its own.
    let builder = if providers.is_empty() {
        builder.with_auto_device(AutoDevicePolicy::PreferCPU)?
    } else {
        // Nearly each batch has sizes of its own, and a plan of its memory would be made for each.
        builder.with_memory_pattern(false)?
    };
    builder
        .with_optimization_level(GraphOptimizationLevel::All)?
        .with_intra_threads(threads)?
        .with_inter_threads(1)?
        .with_deterministic_compute(true)?
        .with_execution_providers(providers)?
        .commit_from_memory(graph)
}
