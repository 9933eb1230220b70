//! A cluster of processes on this machine gives the answers of one session, whatever happens to it.

mod ask;
mod failure;
mod lake;
mod process;
mod python;
mod s3;
mod same_rows;
mod spark;
