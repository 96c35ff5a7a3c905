//! The embedded files are read by a macro, which cargo does not see: without this a new file would not come into the program.
fn main() {
    println!("cargo:rerun-if-changed=../../web");
}
