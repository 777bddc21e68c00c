/* program_rules.h: the codes of the rules of policies, and of what was not judged.
 * Made by spec/generate.py from spec/program_rules.tsv: do not edit. */
#ifndef ASSAY_PROGRAM_RULES_H
#define ASSAY_PROGRAM_RULES_H

/* Why it was not judged, and the rules of a policy */
enum {
    RULE_NOT_JUDGED = 112, /* E1 it could not be judged */
    RULE_POLICY_HEADER = 113, /* P1 the header is longer than the policy allows */
    RULE_POLICY_TENSORS = 114, /* P2 there are more tensors than the policy allows */
    RULE_POLICY_RANK = 115, /* P3 a tensor has more dims than the policy allows */
    RULE_POLICY_NAME = 116, /* P4 a tensor's name is longer than the policy allows */
    RULE_POLICY_DTYPE = 117, /* P5 a tensor has a dtype that the policy does not allow */
    RULE_POLICY_METADATA = 118, /* P6 there are more metadata pairs than the policy allows */
    RULE_MODELSPEC = 119 /* P7 the metadata do not conform to ModelSpec */
};

#endif
