//! Compare the declarations with assay.h: every struct, its size and the offset of each field; every constant; every
//! function and its type. A C compiler reads assay.h and a C translation of src/lib.rs.
use std::fmt::Write;
use std::mem::{align_of, offset_of, size_of};
use std::path::{Path, PathBuf};
use std::process::Command;

macro_rules! layouts {
    ($($name:ident: $($field:ident)+;)+) => {
        /// The name of each struct, its size and alignment, and the offset and size of each field.
        fn layouts() -> Vec<(&'static str, usize, usize, Vec<(&'static str, usize, usize)>)> {
            vec![$((stringify!($name), size_of::<assay_sys::$name>(), align_of::<assay_sys::$name>(), vec![
                $((stringify!($field), offset_of!(assay_sys::$name, $field),
                   size_of_field(|s: &assay_sys::$name| &s.$field)),)+
            ]),)+]
        }
    };
}

fn size_of_field<S, F>(_: fn(&S) -> &F) -> usize {
    size_of::<F>()
}

layouts! {
    assay_input: head head_size file_size;
    assay_options: api relax max_header max_tensors max_rank max_name max_metadata;
    assay_text: at end;
    assay_error: status offset tensor other expected found has name other_name;
    assay_entry: begin end name shape;
    assay_workspace: entry entries word words;
    assay_need: head tensors pairs entries words;
    assay_view: head entry by_name order key by_key value tensors pairs metadata data_begin data_size;
    assay_result: error need view;
    assay_dims: at left;
    assay_tensor: index begin end dtype bits rank name dims;
    assay_axis: start stop step dim span jump gone;
    assay_slice: begin bits axes run first;
    assay_run: byte skip bits;
    assay_chars: byte size;
    assay_new_tensor: name dtype dim rank;
    assay_new_pair: key value;
    assay_description: tensor tensors pair pairs;
    assay_write_options: api order align reserve metadata;
    assay_file_plan: head data file input;
    assay_head_buffer: byte size;
    assay_piece: next tensor begin end;
}

const RUST: &str = include_str!("../src/lib.rs");

/// The folder of assay.h: that of the packed crate, or of the tree.
fn include() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let vendor = here.join("vendor");
    if vendor.join("assay.h").is_file() {
        return vendor;
    }
    here.join("../../../include")
}

/// The folder of assay_flat_edit.h.
fn flat() -> PathBuf {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../src/flat");
    if include().join("assay_flat_edit.h").is_file() {
        include()
    } else {
        tree
    }
}

/// Return the text of the public headers without comments and preprocessor lines.
fn header() -> String {
    let mut text = String::new();
    for name in ["assay_codes.h", "assay.h", "assay_text.h", "assay_write.h"] {
        text += &std::fs::read_to_string(include().join(name)).unwrap_or_default();
    }
    text += &std::fs::read_to_string(flat().join("assay_flat_edit.h")).expect("assay_flat_edit.h");
    assert!(text.contains("assay_parse"), "no assay.h in {}", include().display());
    let mut out = String::new();
    while let Some(begin) = text.find("/*") {
        let end = begin + text[begin..].find("*/").expect("a comment ends") + 2;
        out += &text[..begin];
        text.replace_range(..end, " ");
    }
    out += &text;
    out.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n")
}

fn includes() -> &'static str {
    if include().join("assay_text.h").is_file() {
        "#include \"assay_text.h\"\n#include \"assay_write.h\"\n#include \"assay_flat_edit.h\"\n"
    } else {
        "#include \"assay.h\"\n#include \"assay_write.h\"\n#include \"assay_flat_edit.h\"\n"
    }
}

/// Compile and run a C program; return what it prints. As cargo does, run it by CARGO_TARGET_..._RUNNER if that is set.
fn run(name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&source, text).expect("write the program");
    let target = target();
    let compiler = cc::Build::new().target(target).host(target).opt_level(0).cargo_metadata(false).get_compiler();
    let mut compile = compiler.to_command();
    if cfg!(target_feature = "crt-static") {
        compile.arg("-static");
    }
    compile
        .args(["-std=c11", "-Werror", "-I"])
        .arg(include())
        .arg("-I")
        .arg(flat())
        .arg(&source)
        .arg("-o")
        .arg(&program);
    let output = compile.output().expect("run the C compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let runner = std::env::var(format!("CARGO_TARGET_{}_RUNNER", target.to_uppercase().replace('-', "_")));
    let output = match runner {
        Ok(runner) => Command::new(runner).arg(&program).output(),
        Err(_) => Command::new(&program).output(),
    };
    let output = output.expect("run the program");
    assert!(output.status.success(), "{name}: {}", output.status);
    String::from_utf8(output.stdout).expect("ASCII")
}

fn target() -> &'static str {
    env!("ASSAY_TARGET")
}

#[test]
fn structs_are_laid_out_as_in_c() {
    let (mut body, mut rust) = (String::new(), String::new());
    for (name, size, align, fields) in layouts() {
        writeln!(body, "    printf(\"{name} %zu %zu\\n\", sizeof({name}), _Alignof({name}));").unwrap();
        writeln!(rust, "{name} {size} {align}").unwrap();
        for (field, offset, size) in fields {
            let member = format!("(({name} *)0)->{field}");
            writeln!(body, "    printf(\"{name}.{field} %zu %zu\\n\", offsetof({name}, {field}), sizeof {member});")
                .unwrap();
            writeln!(rust, "{name}.{field} {offset} {size}").unwrap();
        }
    }
    let program = format!("{}#include <stdio.h>\nint main(void)\n{{\n{body}    return 0;\n}}\n", includes());
    assert_eq!(run("layout", &program), rust);
}

#[test]
fn every_struct_and_field_is_declared() {
    let text = header();
    let mut in_c = Vec::new();
    for part in text.split("typedef struct {").skip(1) {
        let (body, rest) = part.split_once('}').expect("a struct ends");
        let name = rest.split(';').next().expect("a name").trim().to_string();
        let fields = body
            .split(';')
            .flat_map(|line| line.split(','))
            .filter_map(|one| one.split_whitespace().last())
            .map(|one| one.trim_start_matches('*').to_string());
        in_c.push((name, fields.collect::<Vec<_>>()));
    }
    let here: Vec<_> = layouts()
        .into_iter()
        .map(|(name, _, _, fields)| (name.to_string(), fields.iter().map(|f| f.0.to_string()).collect::<Vec<_>>()))
        .collect();
    assert_eq!(in_c, here);
}

/// Return the constants of src/lib.rs: name and value as C has it.
fn constants() -> Vec<(String, String)> {
    RUST.lines()
        .filter_map(|line| line.strip_prefix("pub const "))
        .map(|line| {
            let (name, rest) = line.split_once(": ").expect("a type");
            let value = rest.split_once(" = ").expect("a value").1.trim_end_matches(';');
            (name.to_string(), value.replace("u64::MAX", "18446744073709551615u"))
        })
        .collect()
}

#[test]
fn constants_are_those_of_c() {
    let mut body = String::new();
    for (name, value) in constants() {
        writeln!(body, "_Static_assert({name} == {value}, \"{name}\");").unwrap();
    }
    run("constants", &format!("{}{body}int main(void)\n{{\n    return 0;\n}}\n", includes()));
    let here: Vec<_> = constants().into_iter().map(|c| c.0).collect();
    for part in header().split("enum {").skip(1) {
        for one in part.split('}').next().unwrap_or("").split(',') {
            let name = one.split('=').next().unwrap_or("").trim().to_string();
            assert!(name.is_empty() || here.contains(&name), "{name} is not in src/lib.rs");
        }
    }
}

/// Return the functions of src/lib.rs as C prototypes.
fn prototypes() -> Vec<(String, String)> {
    let body = RUST.split("extern \"C\" {").nth(1).expect("functions").replace('\n', " ");
    body.split("pub fn ")
        .skip(1)
        .map(|one| {
            let (name, rest) = one.split_once('(').expect("parameters");
            let (parameters, result) = rest.split_once(')').expect("parameters end");
            let result = result.split([';', '}']).next().unwrap_or("").trim();
            let result = result.strip_prefix("-> ").map_or("void".to_string(), c_type);
            let parameters: Vec<_> =
                parameters.split(',').filter_map(|p| p.split_once(':')).map(|p| c_type(p.1)).collect();
            let parameters = if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
            (name.to_string(), format!("{result} {name}({parameters});"))
        })
        .collect()
}

fn c_type(rust: &str) -> String {
    let rust = rust.trim();
    if let Some(of) = rust.strip_prefix("*const ") {
        return format!("const {} *", c_type(of));
    }
    if let Some(of) = rust.strip_prefix("*mut ") {
        return format!("{} *", c_type(of));
    }
    match rust {
        "u8" => "uint8_t",
        "u32" => "uint32_t",
        "u64" => "uint64_t",
        "c_char" => "char",
        "c_int" => "int",
        "c_void" => "void",
        other => other,
    }
    .to_string()
}

#[test]
fn functions_have_the_types_of_c() {
    let here = prototypes();
    let body: String = here.iter().map(|one| one.1.clone() + "\n").collect();
    run("functions", &format!("{}{body}int main(void)\n{{\n    return 0;\n}}\n", includes()));
    let text = header();
    let mut in_c: Vec<_> = text
        .split(';')
        .filter(|one| one.contains('(') && one.contains(" assay_") || one.contains("*assay_"))
        .filter_map(|one| one.split('(').next()?.split_whitespace().last())
        .map(|name| name.trim_start_matches('*').to_string())
        .filter(|name| name.starts_with("assay_"))
        .collect();
    in_c.sort();
    let mut names: Vec<_> = here.into_iter().map(|one| one.0).collect();
    names.sort();
    assert_eq!(in_c, names);
}

#[test]
fn the_version_is_that_of_the_crate() {
    // SAFETY: assay_version returns a constant that ends with a NUL.
    let version = unsafe { std::ffi::CStr::from_ptr(assay_sys::assay_version()) };
    assert_eq!(version.to_str(), Ok(env!("CARGO_PKG_VERSION")));
}
