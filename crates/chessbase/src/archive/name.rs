//! Names of members: Windows-1252 with backslashes inside, safe relative paths outside.

use std::collections::HashSet;

use encoding_rs::WINDOWS_1252;

use super::{ArchiveErrorKind, NameFault};

/// The field has 128 bytes, and a zero ends the name.
pub(super) const NAME_FIELD: usize = 128;

/// Names that Windows gives to devices, with any extension; COM and LPT are followed by a digit.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// The name in a field: what comes before the zero, decoded, with `/` between folders.
pub(super) fn parse(field: &[u8; NAME_FIELD]) -> Result<String, ArchiveErrorKind> {
    let end = field.iter().position(|&byte| byte == 0);
    let (name, _) = WINDOWS_1252.decode_without_bom_handling(&field[..end.unwrap_or(NAME_FIELD)]);
    let checked = match end {
        Some(_) => check(&name),
        None => Err(NameFault::TooLong),
    };
    match checked {
        Ok(()) => Ok(name.replace('\\', "/")),
        Err(fault) => Err(ArchiveErrorKind::BadName {
            name: name.into_owned(),
            fault,
        }),
    }
}

/// The field for a name with `/` or `\` between folders.
pub(super) fn to_field(name: &str) -> Result<[u8; NAME_FIELD], ArchiveErrorKind> {
    let encode = || {
        check(name)?;
        let stored = name.replace('/', "\\");
        let (bytes, _, unmappable) = WINDOWS_1252.encode(&stored);
        let mut field = [0; NAME_FIELD];
        if unmappable {
            return Err(NameFault::Encoding);
        }
        if bytes.len() >= NAME_FIELD {
            return Err(NameFault::TooLong);
        }
        field[..bytes.len()].copy_from_slice(&bytes);
        Ok(field)
    };
    encode().map_err(|fault| ArchiveErrorKind::BadName {
        name: name.to_string(),
        fault,
    })
}

/// Refuses what would not stay inside a folder, or would mean something else on another system.
pub(crate) fn check(name: &str) -> Result<(), NameFault> {
    let separators = ['\\', '/'];
    if name.starts_with(separators) || name.chars().nth(1) == Some(':') {
        return Err(NameFault::Absolute);
    }
    name.split(separators).try_for_each(check_part)
}

fn check_part(part: &str) -> Result<(), NameFault> {
    if part.is_empty() {
        return Err(NameFault::Empty);
    }
    if part == "." || part == ".." {
        return Err(NameFault::Traversal);
    }
    if part.contains(|c: char| c.is_control() || "<>:\"|?*".contains(c)) {
        return Err(NameFault::Character);
    }
    if part.ends_with(['.', ' ']) {
        return Err(NameFault::Ending);
    }
    if is_device(part) {
        return Err(NameFault::Device);
    }
    Ok(())
}

fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part);
    let stem = stem.trim_end_matches(' ').to_lowercase();
    let is_port = || {
        let number = stem.strip_prefix("com").or(stem.strip_prefix("lpt"));
        // Windows takes the raised digits of Windows-1252 for digits.
        number
            .is_some_and(|n| n.chars().count() == 1 && n.contains(|c| "0123456789¹²³".contains(c)))
    };
    DEVICES.contains(&stem.as_str()) || is_port()
}

/// Names that are taken, as Windows sees them: `A` is `a`.
#[derive(Default)]
pub(crate) struct Taken {
    files: HashSet<String>,
    folders: HashSet<String>,
}

impl Taken {
    /// Takes a checked name and the folders that it is in.
    pub fn take(&mut self, name: &str) -> Result<(), ArchiveErrorKind> {
        let key = name.replace('\\', "/").to_lowercase();
        let folders = key.match_indices('/').map(|(at, _)| &key[..at]);
        let clashes = self.folders.contains(&key)
            || folders.clone().any(|folder| self.files.contains(folder));
        self.folders.extend(folders.map(str::to_string));
        if clashes || !self.files.insert(key) {
            return Err(ArchiveErrorKind::DuplicateName {
                name: name.to_string(),
            });
        }
        Ok(())
    }
}
