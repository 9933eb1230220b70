//! `.ini`: the title of the database, its kind, and how it was used.
//!
//! ```
//! use tabiya_chessbase::files::ini::Ini;
//!
//! let mut ini = Ini::from_bytes(b"[DescrCBG]\r\nType=26\r\nTitle=Club\r\n");
//! assert_eq!(ini.get(b"descrcbg", b"title"), Some(b"Club".as_slice()));
//! ini.set(b"DescrCBG", b"Title", b"Club 2026");
//! assert_eq!(ini.to_bytes(), b"[DescrCBG]\r\nType=26\r\nTitle=Club 2026\r\n");
//! ```

/// The section about the database itself.
pub const DESCRIPTION: &[u8] = b"DescrCBG";

/// A file of sections with names and values. Lines that are not changed are written as they were
/// read, whatever they are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ini {
    /// With the ends of lines.
    lines: Vec<Vec<u8>>,
}

impl Ini {
    /// A file that tells the title of a database and nothing else.
    #[must_use]
    pub fn new(title: &[u8]) -> Ini {
        let mut ini = Ini::default();
        ini.set(DESCRIPTION, b"Type", b"0");
        ini.set(DESCRIPTION, b"Title", title);
        ini
    }

    /// Reads a file.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Ini {
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        Ini {
            lines: lines.map(<[u8]>::to_vec).collect(),
        }
    }

    /// Writes a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.lines.concat()
    }

    /// A value; names of sections and values are the same in small and capital letters.
    #[must_use]
    pub fn get(&self, section: &[u8], name: &[u8]) -> Option<&[u8]> {
        let (line, _) = self.find(section, name);
        line.and_then(|line| pair(&self.lines[line]))
            .map(|(_, value)| value)
    }

    /// The title of the database.
    #[must_use]
    pub fn title(&self) -> Option<&[u8]> {
        self.get(DESCRIPTION, b"Title")
    }

    /// Changes a value or adds it to its section.
    pub fn set(&mut self, section: &[u8], name: &[u8], value: &[u8]) {
        let new = [name, b"=", value, self.line_end()].concat();
        match self.find(section, name) {
            (Some(line), _) => self.lines[line] = new,
            (None, Some(end)) => self.lines.insert(end, new),
            (None, None) => {
                let head = [b"[", section, b"]", self.line_end()].concat();
                self.lines.extend([head, new]);
            }
        }
    }

    /// The line of a value, and where its section ends.
    fn find(&self, section: &[u8], name: &[u8]) -> (Option<usize>, Option<usize>) {
        let heads = |line: &Vec<u8>| head(line).is_some_and(|s| s.eq_ignore_ascii_case(section));
        let Some(start) = self.lines.iter().position(heads) else {
            return (None, None);
        };
        let body = &self.lines[start + 1..];
        let length = body.iter().position(|line| head(line).is_some());
        let body = &body[..length.unwrap_or(body.len())];
        let named = |line: &Vec<u8>| pair(line).is_some_and(|(n, _)| n.eq_ignore_ascii_case(name));
        let line = body.iter().position(named).map(|line| start + 1 + line);
        let filled = body.iter().rposition(|line| !line.trim_ascii().is_empty());
        (line, Some(start + 1 + filled.map_or(0, |last| last + 1)))
    }

    /// How lines end: as the first one does.
    fn line_end(&self) -> &'static [u8] {
        match self.lines.first() {
            Some(line) if !line.ends_with(b"\r\n") => b"\n",
            _ => b"\r\n",
        }
    }
}

/// The name of a section, if a line begins one.
fn head(line: &[u8]) -> Option<&[u8]> {
    line.trim_ascii().strip_prefix(b"[")?.strip_suffix(b"]")
}

/// Name and value of a line, if it has them.
fn pair(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let equals = line.iter().position(|byte| *byte == b'=')?;
    Some((line[..equals].trim_ascii(), line[equals + 1..].trim_ascii()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_in_their_section_only() {
        let ini = Ini::from_bytes(b"\n[DescrCBG]\nUsage=77\n\n[Environ]\nUsage=3\nx\n=\n");
        assert_eq!(ini.get(b"DescrCBG", b"Usage"), Some(b"77".as_slice()));
        assert_eq!(ini.get(b"Environ", b"usage"), Some(b"3".as_slice()));
        assert_eq!(ini.get(b"Environ", b"Title"), None);
        assert_eq!(ini.get(b"Nowhere", b"Usage"), None);
        assert_eq!(ini.title(), None);
    }

    #[test]
    fn a_new_value_ends_its_section() {
        let mut ini = Ini::from_bytes(b"[DescrCBG]\nType=1\n\n[Environ]\n");
        ini.set(b"DescrCBG", b"Title", b"x");
        ini.set(b"Other", b"y", b"z");
        let written = b"[DescrCBG]\nType=1\nTitle=x\n\n[Environ]\n[Other]\ny=z\n";
        assert_eq!(ini.to_bytes(), written);
    }

    #[test]
    fn a_new_file_has_a_title() {
        let written = b"[DescrCBG]\r\nType=0\r\nTitle=My games\r\n";
        assert_eq!(Ini::new(b"My games").to_bytes(), written);
    }
}
