//! What is proposed, applied and undone.
