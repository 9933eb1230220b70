//! What a zip archive holds, by the names in it.
//!
//! An archive is opened as one database: texts are read one after the other, and the files of one
//! database are put beside each other. What would be left out or misread is refused, by its names.

use std::path::Path;

use super::{FormatProfile, Opener, Registry};
use crate::io::Compression;

/// A database of several files in an archive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held<'a> {
    pub profile: FormatProfile,
    /// The folder and the name that its files have.
    stem: &'a str,
    /// The file that stands for all.
    main: &'a str,
}

impl Held<'_> {
    /// The name of a member without its folder, if it is a file of this database.
    pub fn own_name<'m>(&self, member: &'m str) -> Option<&'m str> {
        let (stem, _) = split(member)?;
        stem.eq_ignore_ascii_case(self.stem)
            .then(|| base_name(member))
    }

    /// The name of the file that stands for all, without its folder.
    pub fn main_name(&self) -> &str {
        base_name(self.main)
    }
}

/// The databases of several files in an archive.
pub(super) fn databases<'m>(registry: &Registry, members: &'m [String]) -> Vec<Held<'m>> {
    let mut held: Vec<Held<'_>> = Vec::new();
    for (member, profile) in games(registry, members) {
        let Some((stem, _)) = split(member).filter(|_| profile.several_files()) else {
            continue;
        };
        let is_same = |held: &&mut Held<'_>| {
            held.stem.eq_ignore_ascii_case(stem) && is_same(held.profile, profile)
        };
        match held.iter_mut().find(is_same) {
            Some(held) if rank(member, profile) < rank(held.main, profile) => held.main = member,
            Some(_) => {}
            None => held.push(Held {
                profile,
                stem,
                main: member,
            }),
        }
    }
    held
}

/// The database of several files that an archive is, if it is one; `None` if it is texts, or one
/// file.
///
/// # Errors
/// The names of what it holds, if that cannot be read together.
pub(super) fn database<'m>(
    registry: &Registry,
    members: &'m [String],
) -> Result<Option<Held<'m>>, Vec<&'m str>> {
    let databases = databases(registry, members);
    let others = games(registry, members).filter(|(_, profile)| !profile.several_files());
    let others: Vec<(&str, FormatProfile)> = others.collect();
    let is_text = |profile: FormatProfile| matches!(profile.read(), Some(Opener::Stream(_)));
    let first = others.first().map(|(_, profile)| *profile);
    let are_alike = |first: FormatProfile| {
        let is_plain = |name: &str| Compression::of_path(Path::new(name)) == Compression::None;
        let is_like = |(name, other): &(&str, _)| is_plain(name) && is_same(first, *other);
        is_text(first) && others.iter().all(is_like)
    };
    // Whatever lies beside texts would be read as games.
    let strangers = members
        .iter()
        .filter(|member| registry.by_path(member).is_none());
    let strangers: Vec<&str> = strangers.map(String::as_str).collect();
    match (databases.as_slice(), first) {
        ([], None) => Ok(None),
        ([], Some(_)) if members.len() == 1 => Ok(None),
        ([], Some(first)) if are_alike(first) && strangers.is_empty() => Ok(None),
        ([only], None) => Ok(Some(*only)),
        _ => {
            let databases = databases.iter().map(|held| held.main);
            let others = others.iter().map(|(name, _)| *name);
            Err(databases.chain(others).chain(strangers).collect())
        }
    }
}

/// Members that are called like files that can be read.
fn games<'m>(
    registry: &Registry,
    members: &'m [String],
) -> impl Iterator<Item = (&'m str, FormatProfile)> {
    members.iter().filter_map(|member| {
        let profile = registry.by_path(member).filter(|profile| profile.reads())?;
        Some((member.as_str(), profile))
    })
}

fn is_same(one: FormatProfile, other: FormatProfile) -> bool {
    one.format.name == other.format.name && one.profile.name() == other.profile.name()
}

/// Which of the files of a database a name is.
fn rank(member: &str, profile: FormatProfile) -> usize {
    let extension = split(member).map_or("", |(_, extension)| extension);
    let mut all = profile.extensions().iter();
    all.position(|one| one.eq_ignore_ascii_case(extension))
        .unwrap_or(usize::MAX)
}

/// A name with its folder but without its extension, and that.
fn split(member: &str) -> Option<(&str, &str)> {
    let extension = Path::new(base_name(member)).extension()?.to_str()?;
    let stem = member.len().checked_sub(extension.len() + 1)?;
    Some((member.get(..stem)?, extension))
}

/// The last part of a name in an archive, which leads nowhere.
fn base_name(member: &str) -> &str {
    match member.rsplit(['/', '\\']).next() {
        None | Some("" | "." | "..") => "unnamed",
        Some(last) => last,
    }
}

#[cfg(all(test, feature = "jose", feature = "scid"))]
mod tests {
    use super::*;
    use crate::FORMATS;

    fn held(members: &[&str]) -> Result<Option<String>, Vec<String>> {
        let members: Vec<String> = members.iter().map(|name| (*name).to_string()).collect();
        match database(&Registry::of(FORMATS), &members) {
            Ok(held) => Ok(held.map(|held| held.main.to_string())),
            Err(names) => Err(names.into_iter().map(str::to_string).collect()),
        }
    }

    #[test]
    fn one_database_is_found_whatever_lies_beside_it() {
        let main = held(&["x/a.sg5", "x/A.SI5", "x/a.sn5", "readme.txt"]).unwrap();
        assert_eq!(main.as_deref(), Some("x/A.SI5"));
        let main = held(&["a.sg4", "a.si4", "a.sn4", "b.ini"]).unwrap();
        assert_eq!(main.as_deref(), Some("a.si4"));
    }

    #[test]
    fn texts_are_read_one_after_the_other() {
        assert_eq!(held(&["a.pgn", "b/a.pgn"]), Ok(None));
        assert_eq!(held(&["a.josedb"]), Ok(None));
        assert_eq!(held(&["unknown"]), Ok(None));
    }

    #[test]
    fn what_would_be_left_out_is_named() {
        for (members, expected) in [
            (&["a.si5", "b.si5"][..], &["a.si5", "b.si5"][..]),
            (&["x/a.si5", "y/a.si5"], &["x/a.si5", "y/a.si5"]),
            (&["a.si5", "a.si4"], &["a.si5", "a.si4"]),
            (&["a.pgn", "a.sg5", "a.si5"], &["a.si5", "a.pgn"]),
            (&["a.pgn", "b.fen"], &["a.pgn", "b.fen"]),
            (&["a.josedb", "notes.txt"], &["a.josedb", "notes.txt"]),
            (&["notes.txt", "a.pgn"], &["a.pgn", "notes.txt"]),
            (&["a.pgn", "b.pgn.gz"], &["a.pgn", "b.pgn.gz"]),
            (&["a.pgn", "a.png"], &["a.pgn", "a.png"]),
        ] {
            assert_eq!(held(members).unwrap_err(), expected, "{members:?}");
        }
    }
}
