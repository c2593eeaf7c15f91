// Inserts into a function the code that writes its words.
#pragma once

#include "cursor.h"
#include "module_record.h"
#include "survey.h"

namespace pathspool::pass {

// `index` is the function's in its module's table, `tag` its tag (wire/word.h).
void instrument(const FunctionSurvey& survey, unsigned index, wire::Word tag,
                const ModuleRecord& record, const RuntimeFaces& faces);

}  // namespace pathspool::pass
