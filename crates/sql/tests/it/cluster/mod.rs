//! A cluster of processes on this machine gives the answers of one session, whatever happens to it.

mod ask;
mod failure;
mod folders;
mod lake;
mod network;
mod process;
mod python;
mod s3;
mod same_rows;
mod spark;

use std::time::{Duration, Instant};

/// Waits until something is so.
async fn until(what: &str, mut is: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(300);
    while !is() {
        assert!(Instant::now() < end, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
