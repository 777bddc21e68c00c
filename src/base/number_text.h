/* number_text.h: a macro's number as a string literal, for messages that state a limit. */
#ifndef ASSAY_BASE_NUMBER_TEXT_H
#define ASSAY_BASE_NUMBER_TEXT_H

#define NUMBER_TEXT_OF(number) #number
#define NUMBER_TEXT(macro) NUMBER_TEXT_OF(macro)

#endif
