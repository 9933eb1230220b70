//! How fast are legal moves generated? Perft against the fastest crates, in one run.
//!
//! Every contestant counts the last ply without playing it, as its own documentation advises.

use std::str::FromStr;

use shakmaty::{CastlingMode, Chess, fen::Fen};
use tabiya_chess::{
    Position, Setup, Variant,
    mailbox::{self, Mailbox},
    perft,
};
use tabiya_peers::contest::Contest;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn main() {
    contest("start position", START, 6, 119_060_324);
    contest("Kiwipete", KIWIPETE, 5, 193_690_690);
}

fn contest(name: &str, fen: &str, depth: u32, nodes: u64) {
    let setup: Setup = fen.parse().expect("a FEN of this file");
    let tabiya = Position::from_setup(&setup, Variant::Standard).expect("a legal position");
    let mailbox = Mailbox::from_setup(&setup).expect("a legal position");
    let shakmaty: Chess = Fen::from_str(fen)
        .expect("a FEN of this file")
        .into_position(CastlingMode::Standard)
        .expect("a legal position");
    let cozy: cozy_chess::Board = fen.parse().expect("a FEN of this file");
    let chess = chess::Board::from_str(fen).expect("a FEN of this file");
    let gigachess = gigachess::fen::parse_fen(fen).expect("a FEN of this file");
    Contest::new(format!("perft {depth}, {name}"), "node", nodes)
        .add("tabiya", || perft(&tabiya, depth))
        .add("tabiya mailbox", || mailbox::perft(&mailbox, depth))
        .add("shakmaty", || shakmaty::perft(&shakmaty, depth))
        .add("cozy-chess", || cozy_perft(&cozy, depth))
        .add("chess", || chess_perft(&chess, depth))
        .add("gigachess, perft", || gigachess.perft(depth))
        .add("gigachess, perft_visitor", || {
            gigachess.perft_visitor(depth)
        })
        .run();
}

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for play in moves {
                let mut next = board.clone();
                next.play_unchecked(play);
                nodes += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

fn chess_perft(board: &chess::Board, depth: u32) -> u64 {
    let moves = chess::MoveGen::new_legal(board);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .map(|play| chess_perft(&board.make_move_new(play), depth - 1))
        .sum()
}
