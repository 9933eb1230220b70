//! JSON with a version and a checksum: what it says is as it was written, or is not believed.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

/// What a file says that it is, and the version that is written; later ones are not read.
pub(crate) struct Seal {
    pub format: &'static str,
    pub version: u32,
}

/// What is wrong with it.
#[derive(Debug)]
pub(crate) enum Broken {
    Json(serde_json::Error),
    /// It says that it is something else.
    Foreign,
    /// It is not as it was written.
    Changed,
    /// Whoever wrote it knows more.
    Later(u32),
}

impl From<serde_json::Error> for Broken {
    fn from(error: serde_json::Error) -> Broken {
        Broken::Json(error)
    }
}

/// The file.
#[derive(Serialize, Deserialize)]
struct Sealed<'a> {
    format: &'a str,
    crc32: u32,
    #[serde(borrow)]
    manifest: &'a RawValue,
}

#[derive(Deserialize)]
struct Version {
    version: u32,
}

impl Seal {
    /// What a file says.
    pub fn open<T: DeserializeOwned>(&self, bytes: &[u8]) -> Result<T, Broken> {
        let sealed: Sealed<'_> = serde_json::from_slice(bytes)?;
        let text = sealed.manifest.get();
        if sealed.format != self.format {
            return Err(Broken::Foreign);
        }
        let Version { version } = serde_json::from_str(text)?;
        if version > self.version {
            return Err(Broken::Later(version));
        }
        if crc32fast::hash(text.as_bytes()) != sealed.crc32 {
            return Err(Broken::Changed);
        }
        Ok(serde_json::from_str(text)?)
    }

    /// Whether a file begins as those do that have this seal, be it damaged further on.
    pub fn is_on(&self, path: &Path) -> io::Result<bool> {
        let mark = format!("{{\"format\":\"{}\"", self.format);
        let mut head = vec![0; mark.len()];
        File::open(path)?.read_exact(&mut head)?;
        Ok(head == mark.as_bytes())
    }

    /// Writes a file.
    pub fn write(&self, said: &impl Serialize, out: &mut dyn io::Write) -> io::Result<()> {
        let text = serde_json::to_string(said)?;
        let crc32 = crc32fast::hash(text.as_bytes());
        let manifest = RawValue::from_string(text)?;
        let sealed = Sealed {
            format: self.format,
            crc32,
            manifest: &manifest,
        };
        serde_json::to_writer(&mut *out, &sealed)?;
        out.write_all(b"\n")
    }
}
