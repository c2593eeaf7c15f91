# Writes MAN_DIR/pathspool.1 and a page for each verb. Which verbs there are, PROGRAM itself says: its own page refers
# to theirs.
#
#   cmake -DPROGRAM=build/release/pathspool -DMAN_DIR=build/release/man -P packaging/man_pages.cmake
cmake_minimum_required(VERSION 3.25)

function(write_page file)
  execute_process(
    COMMAND ${PROGRAM} --man ${ARGN}
    OUTPUT_FILE ${file}.new
    COMMAND_ERROR_IS_FATAL ANY)
  file(RENAME ${file}.new ${file})
endfunction()

file(REMOVE_RECURSE ${MAN_DIR})
file(MAKE_DIRECTORY ${MAN_DIR})
execute_process(COMMAND ${PROGRAM} --man OUTPUT_VARIABLE overview COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL [[pathspool\\-[a-z+]+\\f]] references "${overview}")
if(NOT references)
  message(FATAL_ERROR "The page of ${PROGRAM} refers to no verb's page")
endif()
list(REMOVE_DUPLICATES references)
foreach(reference IN LISTS references)
  string(REGEX REPLACE [[^pathspool\\-(.*)\\f$]] [[\1]] verb "${reference}")
  write_page(${MAN_DIR}/pathspool-${verb}.1 ${verb})
endforeach()
# Last: the build takes it for the sign that all are written.
write_page(${MAN_DIR}/pathspool.1)
