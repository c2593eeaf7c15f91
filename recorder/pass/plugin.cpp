// The plugin that clang loads: instruments a module at the stage that was asked for.
#include <cstdlib>
#include <string>
#include <vector>

#include "instrument.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/raw_ostream.h"
#include "module_record.h"
#include "options.h"
#include "promises.h"
#include "selection.h"
#include "survey.h"
#include "table.h"

namespace pathspool::pass {
namespace {

class InstrumentPass : public llvm::PassInfoMixin<InstrumentPass> {
 public:
  explicit InstrumentPass(const Options& options) : options_(options) {}

  // NOLINTNEXTLINE(readability-identifier-naming): LLVM's name
  static bool isRequired() { return true; }  // also of functions that are not to be optimised

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    const std::vector<llvm::Function*> functions = select_functions(module, options_);
    if (!functions.empty()) instrument_all(module, functions);
    if (options_.strip_debug) llvm::StripDebugInfo(module);
    return llvm::PreservedAnalyses::none();
  }

 private:
  void instrument_all(llvm::Module& module, const std::vector<llvm::Function*>& functions) const {
    std::vector<FunctionSurvey> surveys;
    TableWriter writer(module, functions);
    for (llvm::Function* function : functions) {
      surveys.push_back(survey(*function, options_.stage));
      writer.add(surveys.back());
    }
    const TableWriter::Table table = writer.finish();
    take_back_promises(module);
    const RuntimeFaces faces(module);
    ModuleRecord record(module);
    for (unsigned index = 0; index < surveys.size(); ++index) {
      instrument(surveys[index], index, wire::tag_of(table.module_tag, index), record, faces);
      if (options_.verify && llvm::verifyFunction(*functions[index], &llvm::errs())) {
        llvm::report_fatal_error("pathspool broke a function");
      }
    }
    record.finish(table);
  }

  Options options_;
};

void register_callbacks(llvm::PassBuilder& builder) {
  Options options;
  std::string error;
  if (!parse_options(std::getenv(kOptionsVariable), options, error)) {
    llvm::report_fatal_error(llvm::StringRef(error));
  }
  const auto add = [options](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(InstrumentPass(options));
  };
  if (options.stage == Stage::source) {
    builder.registerPipelineEarlySimplificationEPCallback(add);
  } else {
    builder.registerOptimizerLastEPCallback(add);
  }
}

}  // namespace
}  // namespace pathspool::pass

// NOLINTNEXTLINE(readability-identifier-naming): the name that clang looks for
extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "pathspool", "1", pathspool::pass::register_callbacks};
}
