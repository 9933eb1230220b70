//! Nations by their numbers.
//!
//! ```
//! use tabiya_chessbase::files::nations::Nation;
//!
//! assert_eq!(Nation(49).code(), Some("FRA"));
//! assert_eq!(Nation::from_code("fra"), Some(Nation(49)));
//! assert_eq!(Nation::NONE.code(), None);
//! ```

/// A nation. Internet, the space station and countries of the past are nations too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Nation(pub u8);

impl Nation {
    /// None, or it is not known.
    pub const NONE: Nation = Nation(0);

    /// The three letters that stand for it; `None` for none and for numbers without a nation.
    #[must_use]
    pub fn code(self) -> Option<&'static str> {
        let code = CODES.get(usize::from(self.0)).copied();
        code.filter(|code| !code.is_empty())
    }

    /// The nation that three letters stand for, in whatever case they are written. Three numbers
    /// have the letters GCI, for the Channel Islands; the lowest one is meant.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Nation> {
        let known = |other: &&str| !code.is_empty() && code.eq_ignore_ascii_case(other);
        let number = CODES.iter().position(known)?;
        u8::try_from(number).ok().map(Nation)
    }
}

/// The letters of all nations.
#[rustfmt::skip]
const CODES: [&str; 254] = [
    "", "AFG", "ALB", "ALG", "AND", "ANG", "ANT", "ARG", "ARM", "AUS",
    "AUT", "AZE", "BAH", "BRN", "BAN", "BAR", "BLR", "BEL", "BIZ", "BER",
    "BOL", "BIH", "BOT", "BRA", "IVB", "BRU", "BUL", "BUR", "CAN", "CHI",
    "CHN", "COL", "CRC", "CRO", "CUB", "CYP", "CZE", "DEN", "DJI", "DOM",
    "ECU", "EGY", "ENG", "ESP", "EST", "ETH", "FRO", "FIJ", "FIN", "FRA",
    "MKD", "GAM", "GEO", "GER", "GHA", "GRE", "GUA", "GCI", "GUY", "HAI",
    "HON", "HKG", "HUN", "ISL", "IND", "INA", "IRI", "IRQ", "ISR", "IRL",
    "ITA", "CIV", "JAM", "JPN", "GCI", "JOR", "KAZ", "KEN", "KOR", "KGZ",
    "KUW", "LAT", "LIB", "LBA", "LIE", "LTU", "LUX", "MAC", "MAD", "MAS",
    "MLI", "MLT", "MTN", "MRI", "MEX", "MDA", "MON", "MGL", "MAR", "MOZ",
    "MYA", "NAM", "NEP", "NED", "AHO", "NZL", "NCA", "NGR", "NOR", "PAK",
    "PLE", "PAN", "PNG", "PAR", "PER", "PHI", "POL", "POR", "PUR", "QAT",
    "ROU", "RUS", "ESA", "SMR", "SCO", "SEN", "SEY", "SIN", "SVK", "SLO",
    "RSA", "SRI", "SUD", "SUR", "SWE", "SUI", "SYR", "TJK", "TAN", "THA",
    "TTO", "TUN", "TUR", "TKM", "UGA", "UKR", "UAE", "USA", "URU", "URS",
    "UZB", "VEN", "VIE", "ISV", "WLS", "YEM", "SCG", "ZAM", "ZIM", "ZAI",
    "DDR", "TCH", "CMR", "CHA", "CPV", "KIR", "COM", "CGO", "PRK", "LAO",
    "LES", "MAW", "MDV", "MHL", "OMA", "NRU", "MIC", "NIG", "KSA", "TOG",
    "TGA", "VAN", "VAT", "TUV", "SWZ", "SLE", "LCA", "PAP", "SVI", "SAM",
    "SKI", "SOL", "GE2", "ZAR", "RWA", "LBR", "NET", "TPE", "ASA", "AGG",
    "ARU", "BEN", "BHU", "BDI", "CAM", "CAY", "CAF", "GCI", "CIA", "COA",
    "COK", "GEQ", "ERI", "FGB", "FRG", "FRP", "GAB", "GGB", "GRN", "GRL",
    "FGA", "GUM", "GUI", "GBS", "IOM", "JMY", "MFR", "MYF", "MSG", "NCF",
    "NNN", "NNA", "NMI", "OTM", "PLW", "PIG", "RUF", "STP", "SOM", "SVN",
    "HGB", "PGB", "TKI", "TCI", "WFR", "NIR", "ISS", "GBR", "SAA", "MNE",
    "SRB", "CAT", "BAS", "KOS",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_read_back() {
        let mut same = 0;
        for number in 0..=u8::MAX {
            let nation = Nation(number);
            let again = nation.code().and_then(Nation::from_code);
            same += usize::from(again == Some(nation));
        }
        // All but none at all, the numbers 254 and 255, and the second and third Channel Islands.
        assert_eq!(same, 256 - 5);
        assert_eq!(Nation::from_code(""), None);
        assert_eq!(Nation::from_code("???"), None);
    }

    #[test]
    fn nations_have_the_numbers_of_the_program() {
        for (code, number) in [
            ("ENG", 42),
            ("ESP", 43),
            ("GER", 53),
            ("NET", 196),
            ("KOS", 253),
        ] {
            assert_eq!(Nation::from_code(code), Some(Nation(number)));
        }
    }
}
