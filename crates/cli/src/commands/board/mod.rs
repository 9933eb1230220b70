//! `tabiya board`: a position, shown and put into other forms.

mod report;
mod stored;

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::bail;
use clap::ValueEnum;
use tabiya_chess::{Board, Color, Position, Role, Setup, Square, diagram, diagram::Svg};

use crate::{args::PositionArgs, exit::Outcome, output::Output};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya board
  tabiya board r1bqkbnr/pppp1Qpp/2n5/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4
  tabiya board --flip --as svg -o board.svg
  tabiya board --as snapshot -o start.bin
  tabiya board --from snapshot start.bin --as fen

Exit codes: 1 if the position is odd or no moves can be generated from it. The forms of --as are
written from any FEN, odd or not, with 0.";

/// Show a position: board, FEN, rights, key, material, status and legal moves
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,

    /// Print only this form
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: Option<Form>,

    /// Read stored bytes, raw or as hexadecimal text, from the file named in place of the FEN
    #[arg(long, value_enum, value_name = "FORM")]
    from: Option<stored::Profile>,

    /// Show the board from Black's side
    #[arg(long)]
    flip: bool,

    /// Write to a file; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// One line of text
    Fen,
    /// The board in letters
    Ascii,
    /// The board in chess symbols
    Unicode,
    /// Eight sets of squares in hexadecimal; bit 0 is a1, bit 63 is h8
    Bitboards,
    /// The pieces in 120 bytes; in hexadecimal unless -o is given
    Mailbox,
    /// The whole position in 128 bytes; in hexadecimal unless -o is given
    Snapshot,
    /// An image
    Svg,
}

/// Prints the position.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    // First, so that a place that cannot be written to is known before anything is read.
    let own: &[&str] = match args.form {
        Some(Form::Fen) => &["fen", "epd"],
        _ => &[],
    };
    let mut output = Output::open(args.output.as_deref(), own)?;
    let setup = setup(args)?;
    let outcome = match args.form {
        Some(form) => {
            write_form(args, form, &setup, &mut output)?;
            Outcome::Fine
        }
        None => report::write(&mut output, &setup, args.position.variant, bottom(args))?,
    };
    output.finish()?;
    Ok(outcome)
}

fn setup(args: &Args) -> anyhow::Result<Setup> {
    match (args.from, args.position.words.as_slice()) {
        (None, _) => args.position.setup(),
        (Some(profile), [file]) => profile.read(Path::new(file)),
        (Some(_), words) => bail!("--from reads one file, found {} names", words.len()),
    }
}

/// Whose side of the board is shown below.
fn bottom(args: &Args) -> Color {
    if args.flip {
        Color::Black
    } else {
        Color::White
    }
}

fn write_form(args: &Args, form: Form, setup: &Setup, output: &mut Output) -> anyhow::Result<()> {
    let board = &setup.board;
    let raw = args.output.is_some();
    match form {
        Form::Fen => writeln!(output, "{setup}")?,
        Form::Ascii => write!(output, "{}", diagram::ascii(board, bottom(args)))?,
        Form::Unicode => write!(output, "{}", diagram::unicode(board, bottom(args)))?,
        Form::Bitboards => write_bitboards(board, output)?,
        Form::Mailbox => stored::Profile::Mailbox.write(setup, raw, output)?,
        Form::Snapshot => stored::Profile::Snapshot.write(setup, raw, output)?,
        Form::Svg => {
            let image = Svg::new(board).bottom(bottom(args));
            let image = match king_in_check(args, setup) {
                Some(king) => image.check(king),
                None => image,
            };
            write!(output, "{image}")?;
        }
    }
    Ok(())
}

fn write_bitboards(board: &Board, output: &mut Output) -> io::Result<()> {
    for color in Color::ALL {
        writeln!(
            output,
            "{:<7} {:016x}",
            color.to_string(),
            board.side(color).0
        )?;
    }
    for role in Role::ALL {
        writeln!(
            output,
            "{:<7} {:016x}",
            format!("{role}s"),
            board.pieces(role).0
        )?;
    }
    Ok(())
}

fn king_in_check(args: &Args, setup: &Setup) -> Option<Square> {
    let position = Position::from_setup(setup, args.position.variant).ok()?;
    let king = position.board().king(position.turn())?;
    position.is_check().then_some(king)
}
