"""Package the tarball of a release for Conan 2: conan create . --version @VERSION@"""
import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rmdir


class AssayConan(ConanFile):
    name = "assay"
    description = "Decides whether a safetensors file is valid, and reads its tensor table without copying"
    license = "Apache-2.0"
    url = homepage = "@HOME@"
    topics = ("safetensors", "parser", "formal-verification")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]
    languages = "C"

    def layout(self):
        cmake_layout(self, src_folder="src")

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        CMakeToolchain(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        for made in "cmake", "pkgconfig":  # Conan makes its own
            rmdir(self, os.path.join(self.package_folder, "lib", made))

    def package_info(self):
        self.cpp_info.libs = ["assay"]
        self.cpp_info.set_property("cmake_target_name", "assay::assay")
        self.cpp_info.set_property("pkg_config_name", "assay")
