//! Compile the core: the amalgamation in vendor/ if this is the packed crate, otherwise the proved units of the tree.
//! Both have the same tokens; `packaging/amalgamate.py --check` compares them.
use std::env;
use std::path::{Path, PathBuf};

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let vendor = here.join("vendor");
    let tree = here.join("../../..");
    let mut build = cc::Build::new();
    let edit = env::var_os("CARGO_FEATURE_EDIT").is_some();
    let include = if vendor.join("assay.c").is_file() {
        add(&mut build, &vendor, &["assay.c", "assay_write.c"], &["."]);
        if edit {
            add(&mut build, &vendor, &["assay_flat.c", "assay_flat_edit.c"], &["."]);
        }
        vendor
    } else if tree.join("src/core/assay.c").is_file() {
        add(
            &mut build,
            &tree,
            &["src/core/assay.c", "src/core_text/assay_text.c", "src/core_write/assay_write.c"],
            &["include", "src/core"],
        );
        if edit {
            add(
                &mut build,
                &tree,
                &[
                    "src/base/keyed_hash.c",
                    "src/base/unescaped_text.c",
                    "src/base/utf8_codec.c",
                    "src/edit/edit_certificate.c",
                    "src/edit/edit_head.c",
                    "src/edit/edit_pairs.c",
                    "src/edit/edit_text.c",
                    "src/flat/flat.c",
                    "src/flat/flat_edit.c",
                ],
                &["src/base", "src/edit", "src/flat"],
            );
        }
        tree.join("include")
    } else {
        panic!(
            "assay-sys: no vendor/assay.c, and no tree of assay around this crate: pack it with bindings/rust/pack.sh"
        );
    };
    // -O0 would make a debug build of your program judge several times slower, and the frames larger.
    if env::var("OPT_LEVEL").is_ok_and(|level| level == "0" || level == "1") {
        build.opt_level(2);
    }
    build.std("c11").flag_if_supported("-ffreestanding").compile("assay");
    println!("cargo:include={}", include.display());
    // For tests/declarations.rs, which runs a C compiler for the same machine.
    println!("cargo:rustc-env=ASSAY_TARGET={}", env::var("TARGET").expect("cargo sets TARGET"));
}

/// Add the units and the folders of their headers, and build again if one of these changes.
fn add(build: &mut cc::Build, root: &Path, units: &[&str], folders: &[&str]) {
    for unit in units {
        let unit = root.join(unit);
        println!("cargo:rerun-if-changed={}", unit.parent().unwrap_or(root).display());
        build.file(unit);
    }
    for folder in folders {
        let folder = root.join(folder);
        println!("cargo:rerun-if-changed={}", folder.display());
        build.include(folder);
    }
}
