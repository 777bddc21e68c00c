//! Element types.
use assay_sys as sys;
use core::fmt;

macro_rules! dtypes {
    ($($name:ident $code:ident $bits:literal,)+) => {
        /// The type of a tensor's elements.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[allow(non_camel_case_types)] // the names are those of the format and of the official crate
        #[repr(u8)]
        pub enum Dtype {
            $(#[doc = concat!("`", stringify!($name), "`, ", $bits, " bits")] $name = sys::$code as u8,)+
        }

        impl Dtype {
            /// All of them.
            pub const ALL: &'static [Dtype] = &[$(Dtype::$name,)+];

            /// Return the name that a file has: `"BF16"`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Dtype::$name => stringify!($name),)+
                }
            }

            /// Return the bits of one element: 4, 6, 8, 16, 32 or 64.
            pub const fn bits(self) -> u32 {
                match self {
                    $(Dtype::$name => $bits,)+
                }
            }
        }

        #[cfg(feature = "safetensors")]
        impl From<Dtype> for safetensors::Dtype {
            fn from(dtype: Dtype) -> safetensors::Dtype {
                match dtype {
                    $(Dtype::$name => safetensors::Dtype::$name,)+
                }
            }
        }
    };
}

dtypes! {
    BOOL ASSAY_DTYPE_BOOL 8,
    U8 ASSAY_DTYPE_U8 8,
    I8 ASSAY_DTYPE_I8 8,
    F8_E5M2 ASSAY_DTYPE_F8_E5M2 8,
    F8_E4M3 ASSAY_DTYPE_F8_E4M3 8,
    F8_E8M0 ASSAY_DTYPE_F8_E8M0 8,
    F8_E4M3FNUZ ASSAY_DTYPE_F8_E4M3FNUZ 8,
    F8_E5M2FNUZ ASSAY_DTYPE_F8_E5M2FNUZ 8,
    F4 ASSAY_DTYPE_F4 4,
    F6_E2M3 ASSAY_DTYPE_F6_E2M3 6,
    F6_E3M2 ASSAY_DTYPE_F6_E3M2 6,
    I16 ASSAY_DTYPE_I16 16,
    U16 ASSAY_DTYPE_U16 16,
    F16 ASSAY_DTYPE_F16 16,
    BF16 ASSAY_DTYPE_BF16 16,
    I32 ASSAY_DTYPE_I32 32,
    U32 ASSAY_DTYPE_U32 32,
    F32 ASSAY_DTYPE_F32 32,
    I64 ASSAY_DTYPE_I64 64,
    U64 ASSAY_DTYPE_U64 64,
    F64 ASSAY_DTYPE_F64 64,
    C64 ASSAY_DTYPE_C64 64,
}

const _: () = assert!(sys::ASSAY_DTYPE_LAST as usize == Dtype::ALL.len(), "a dtype of the core is missing");

impl Dtype {
    /// Return the dtype of this name, or `None` if the format has none.
    pub fn from_name(name: &str) -> Option<Dtype> {
        Dtype::ALL.iter().copied().find(|dtype| dtype.name() == name)
    }

    /// Return the dtype of the core's number.
    pub(crate) fn from_code(code: u64) -> Option<Dtype> {
        let index = usize::try_from(code.checked_sub(1)?).ok()?;
        Dtype::ALL.get(index).copied()
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ffi::CStr;

    #[test]
    fn numbers_and_names_are_those_of_the_core() {
        for (index, &dtype) in Dtype::ALL.iter().enumerate() {
            assert_eq!(dtype as u64, index as u64 + 1);
            assert_eq!(Dtype::from_code(dtype as u64), Some(dtype));
            assert_eq!(Dtype::from_name(dtype.name()), Some(dtype));
            // SAFETY: the result is a constant that ends with a NUL.
            let name = unsafe { CStr::from_ptr(sys::assay_dtype_name(dtype as u64)) };
            assert_eq!(name.to_str(), Ok(dtype.name()));
        }
        assert_eq!(Dtype::from_code(0), None);
        assert_eq!(Dtype::from_code(sys::ASSAY_DTYPE_LAST + 1), None);
    }
}
