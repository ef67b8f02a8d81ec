//! The promises of the program, tested where they are made: at its command line, on files. One binary, for each links the engine.

mod commands;
mod engine;
mod evaluation;
mod handwritten;
mod inputs;
mod knowledge;
mod leaks;
mod learned;
mod lossless;
mod schemas;
mod statements;
mod support;
mod surrogates;
mod warehouse;
