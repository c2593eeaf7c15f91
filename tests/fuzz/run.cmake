# The kept corpus, then some seconds of new inputs. An input that takes long or much memory is a finding too.
file(REMOVE_RECURSE ${NEW})
file(MAKE_DIRECTORY ${NEW})
execute_process(
  COMMAND ${FUZZER} -max_total_time=15 -timeout=20 -rss_limit_mb=2048 -max_len=16384 -print_final_stats=1
    -artifact_prefix=${NEW}- ${NEW} ${CORPUS}
  RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the fuzzer stopped with status ${status}; its input is beside ${NEW}")
endif()
