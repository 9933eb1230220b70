//! One program for all tests: each more would be linked with all of DataFusion.

mod cluster;
