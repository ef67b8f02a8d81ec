//! The promises of the program, tested where they are made: at its command line, on files. One binary, for each links the engine.

mod chance;
#[cfg(unix)]
mod cluster;
mod commands;
mod configuration;
mod csv;
mod delta;
mod engine;
mod evaluation;
mod faults;
mod handwritten;
mod hostile;
mod inputs;
mod knowledge;
mod leaks;
mod learned;
mod lossless;
mod output;
mod proxy;
mod records;
mod s3;
mod schemas;
#[cfg(unix)]
mod serve;
#[cfg(unix)]
mod shell;
mod statements;
mod stores;
mod support;
mod surrogates;
#[cfg(unix)]
mod tasks;
mod texts;
mod unattended;
mod verification;
mod warehouse;
#[cfg(unix)]
mod worked_queries;
