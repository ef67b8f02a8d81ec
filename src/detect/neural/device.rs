//! Where a model runs: `auto`, `cpu`, `cuda`, `cuda:1`, `tensorrt:0`; and by what: `auto`, `rten`, `onnxruntime`.

use std::fmt;
use std::str::FromStr;

use super::error::NeuralError;

/// The device a model runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Device {
    /// The first CUDA device where ONNX Runtime can use one, else the processor.
    #[default]
    Auto,
    /// The processor.
    Cpu,
    /// The CUDA device of that number, through ONNX Runtime.
    Cuda(u32),
    /// The CUDA device of that number, through ONNX Runtime and TensorRT.
    TensorRt(u32),
}

impl Device {
    /// Whether it is a graphics processor by name; [`Device::Auto`] is none until it is settled.
    pub const fn is_gpu(self) -> bool {
        matches!(self, Self::Cuda(_) | Self::TensorRt(_))
    }
}

impl FromStr for Device {
    type Err = NeuralError;

    fn from_str(text: &str) -> Result<Self, NeuralError> {
        let unknown = || NeuralError::Name {
            name: text.to_owned(),
            kind: "device",
            known: "`auto`, `cpu`, `cuda`, `cuda:N`, `tensorrt` and `tensorrt:N`",
        };
        let (name, number) = text.split_once(':').map_or((text, None), |(name, number)| (name, Some(number)));
        let number = number.map(|number| number.parse().map_err(|_| unknown())).transpose()?;
        match (name, number) {
            ("auto", None) => Ok(Self::Auto),
            ("cpu", None) => Ok(Self::Cpu),
            ("cuda", number) => Ok(Self::Cuda(number.unwrap_or(0))),
            ("tensorrt", number) => Ok(Self::TensorRt(number.unwrap_or(0))),
            _ => Err(unknown()),
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => formatter.write_str("auto"),
            Self::Cpu => formatter.write_str("cpu"),
            Self::Cuda(number) => write!(formatter, "cuda:{number}"),
            Self::TensorRt(number) => write!(formatter, "tensorrt:{number}"),
        }
    }
}

/// The library that computes a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RuntimeChoice {
    /// ONNX Runtime where its library is found, else rten.
    #[default]
    Auto,
    /// The runtime that is built in; processors only.
    Rten,
    /// ONNX Runtime, loaded when first used.
    OnnxRuntime,
}

impl FromStr for RuntimeChoice {
    type Err = NeuralError;

    fn from_str(text: &str) -> Result<Self, NeuralError> {
        match text {
            "auto" => Ok(Self::Auto),
            "rten" => Ok(Self::Rten),
            "onnxruntime" => Ok(Self::OnnxRuntime),
            _ => Err(NeuralError::Name {
                name: text.to_owned(),
                kind: "runtime",
                known: "`auto`, `rten` and `onnxruntime`",
            }),
        }
    }
}

impl fmt::Display for RuntimeChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Auto => "auto",
            Self::Rten => "rten",
            Self::OnnxRuntime => "onnxruntime",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_read_as_they_are_written() {
        for device in [Device::Auto, Device::Cpu, Device::Cuda(0), Device::Cuda(3), Device::TensorRt(1)] {
            assert_eq!(device.to_string().parse::<Device>().unwrap(), device);
        }
        assert_eq!("cuda".parse::<Device>().unwrap(), Device::Cuda(0));
        for name in ["", "gpu", "cpu:0", "auto:1", "cuda:", "cuda:x", "cuda:-1", "cuda:0:0"] {
            assert!(name.parse::<Device>().is_err(), "{name}");
        }
    }

    #[test]
    fn runtimes_read_as_they_are_written() {
        for runtime in [RuntimeChoice::Auto, RuntimeChoice::Rten, RuntimeChoice::OnnxRuntime] {
            assert_eq!(runtime.to_string().parse::<RuntimeChoice>().unwrap(), runtime);
        }
        assert!("ort".parse::<RuntimeChoice>().is_err());
    }
}
