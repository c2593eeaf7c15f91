#include "query/short_name.h"

#include <gtest/gtest.h>

namespace pathspool::query {
namespace {

TEST(ShortName, leaves_out_what_the_function_returns_and_takes) {
  const struct {
    const char* demangled;
    const char* with_arguments;
    const char* bare;
  } cases[] = {
      {"main", "main", "main"},
      {"f(int)", "f", "f"},
      {"void work<int>(int)", "work<int>", "work"},
      {"a::b<int, c<d> >::e(f const&) const", "a::b<int, c<d> >::e", "a::b::e"},
      {"std::vector<int> ns::make<int>(std::pair<int, int>)", "ns::make<int>", "ns::make"},
      {"(anonymous namespace)::g()", "(anonymous namespace)::g", "(anonymous namespace)::g"},
      {"a::operator()(int) const", "a::operator()", "a::operator()"},
      {"bool a::operator< <int>(a const&)", "a::operator<<int>", "a::operator<"},
      {"std::ostream& operator<<(std::ostream&, a)", "operator<<", "operator<<"},
      {"a::operator->() const", "a::operator->", "a::operator->"},
      {"a::operator bool() const", "a::operator bool", "a::operator bool"},
      {"operator new(unsigned long)", "operator new", "operator new"},
      {"operators(int)", "operators", "operators"},
      {"f(int)::{lambda(char)#1}::operator()(char) const", "f::{lambda(char)#1}::operator()",
       "f::{lambda(char)#1}::operator()"},
      {"a::f() const::b::g()", "a::f::b::g", "a::f::b::g"},
      {"f[abi:cxx11](int)", "f[abi:cxx11]", "f[abi:cxx11]"},
      {"h<&(k(int))>(int)", "h<&(k(int))>", "h"},
      {"", "", ""},
      {"f<", "f<", "f"},
      {"f(", "f", "f"},
      {">)", ">)", ">)"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(short_name(one.demangled, true), one.with_arguments);
    EXPECT_EQ(short_name(one.demangled, false), one.bare);
  }
}

TEST(ShortName, a_name_may_lack_the_scopes_that_it_is_in) {
  EXPECT_TRUE(is_or_ends("a::b::c", "a::b::c"));
  EXPECT_TRUE(is_or_ends("a::b::c", "b::c"));
  EXPECT_TRUE(is_or_ends("a::b::c", "c"));
  EXPECT_FALSE(is_or_ends("a::bc", "c"));
  EXPECT_FALSE(is_or_ends("a::b", ""));
  EXPECT_FALSE(is_or_ends("c", "a::c"));
}

}  // namespace
}  // namespace pathspool::query
