# What `make install` installs: the program, the library with its headers, a CMake package and a pkg-config file that
# find each other wherever the tree is moved, man pages, documents and examples. Included by the top CMakeLists.txt.

# A library that was built with a sanitizer is of no use to others.
if(PATHSPOOL_SANITIZE)
  return()
endif()

include(CMakePackageConfigHelpers)

# Man pages come from the same source as --help: the program prints them.
set(man_dir ${PROJECT_BINARY_DIR}/man)
add_custom_command(
  OUTPUT ${man_dir}/pathspool.1
  COMMAND ${CMAKE_COMMAND}
    -DPROGRAM=$<TARGET_FILE:pathspool_cli> -DMAN_DIR=${man_dir} -P ${CMAKE_CURRENT_LIST_DIR}/man_pages.cmake
  DEPENDS pathspool_cli ${CMAKE_CURRENT_LIST_DIR}/man_pages.cmake
  COMMENT "Writing man pages"
  VERBATIM)
add_custom_target(man_pages ALL DEPENDS ${man_dir}/pathspool.1)

install(TARGETS pathspool_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# The plugins, the runtime and the start file: where `pathspool cc` looks for them.
install(DIRECTORY ${PROJECT_BINARY_DIR}/lib/pathspool DESTINATION ${CMAKE_INSTALL_LIBDIR} USE_SOURCE_PERMISSIONS)
install(TARGETS pathspool EXPORT pathspool-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/pathspool DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${man_dir}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} USE_SOURCE_PERMISSIONS)

# find_package(pathspool)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/pathspool)
install(EXPORT pathspool-targets NAMESPACE pathspool:: DESTINATION ${package_dir})
configure_package_config_file(packaging/pathspool-config.cmake.in
  ${PROJECT_BINARY_DIR}/packaging/pathspool-config.cmake
  INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/packaging/pathspool-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(
  FILES
    ${PROJECT_BINARY_DIR}/packaging/pathspool-config.cmake
    ${PROJECT_BINARY_DIR}/packaging/pathspool-config-version.cmake
  DESTINATION ${package_dir})

# pkg-config. Its paths start from where the file lies, so that the tree can be moved.
file(RELATIVE_PATH prefix_from_pc_file
  /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" prefix_from_pc_file "${prefix_from_pc_file}")
configure_file(packaging/pathspool.pc.in ${PROJECT_BINARY_DIR}/packaging/pathspool.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/packaging/pathspool.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
