//! `damiera` without a subcommand: serves the page on this computer and opens the browser.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use damiera_server::Config;
use directories::ProjectDirs;

use super::play::BEST;
use crate::output::{Answer, Out};

/// The port that is tried first; when it is taken and none was asked for, another will do.
const PORT: u16 = 7531;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The port (0: any that is free); without it 7531, or another if that is taken
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// The folder in which games are kept
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Show the games of this file too, however many; it stays where it is and is read once. May be given several times
    #[arg(long, value_name = "FILE")]
    games: Vec<PathBuf>,
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    let data_dir = match args.data_dir {
        Some(folder) => folder,
        None => default_data_dir()?,
    };
    let config = Config {
        port: args.port.unwrap_or(PORT),
        fallback_to_free_port: args.port.is_none(),
        data_dir,
        games: args.games,
        best: BEST,
    };
    let port = config.port;
    damiera_server::run_blocking(config, |address| announce(address, args.no_open, out))
        .with_context(|| format!("port {port} of this computer"))?;
    Ok(Answer::Done)
}

/// Prints the address, and opens the browser there. Where there is no browser, or nobody reads the output, the page is served all the same.
fn announce(address: SocketAddr, no_open: bool, out: &mut Out) {
    let address = format!("http://{address}");
    let _ = writeln!(out, "{address}").and_then(|()| out.flush());
    if !no_open {
        let _ = open::that_detached(&address);
    }
}

fn default_data_dir() -> anyhow::Result<PathBuf> {
    let folders = ProjectDirs::from("", "", "damiera");
    let folders =
        folders.ok_or_else(|| anyhow!("this computer names no home folder: give one with --data-dir"))?;
    Ok(folders.data_dir().to_owned())
}
