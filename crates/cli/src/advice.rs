//! What to do about an error of the libraries, in the words of the command line.

use tabiya::registry;
use tabiya_formats::registry::listed;
use tabiya_game::{Error, ErrorKind};

/// How the message of an error goes on with what can be done; empty if nothing can.
pub fn on(error: &anyhow::Error) -> String {
    let error = error.chain().find_map(|cause| cause.downcast_ref());
    match error.map(Error::kind) {
        Some(ErrorKind::Damaged) => {
            "; `tabiya convert --salvage` writes what is left to another file".to_string()
        }
        Some(ErrorKind::UnknownFormat) => {
            let readable = registry().profiles().filter(|profile| profile.reads());
            let names = listed(readable.map(|profile| profile.to_string()));
            format!("; if you know better, say --from {names}")
        }
        Some(ErrorKind::NeedsPassword) => ": say --password".to_string(),
        Some(ErrorKind::NotAGame) => ": `tabiya dump` explains it".to_string(),
        _ => String::new(),
    }
}
