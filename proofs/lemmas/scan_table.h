/* scan_table.h: lemmas on the table up to a key (table_before, spec/scan.acsl), as contracts of functions that do
 * nothing, for header.c. */
#ifndef ASSAY_SCAN_TABLE_H
#define ASSAY_SCAN_TABLE_H

/*@ ghost
// A name as an entry keeps it.
/@ requires name: name + length <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures name: \let packed = name + length * ASSAY_ENTRY_HIGH + plain * ASSAY_ENTRY_PLAIN;
       packed % 4294967296 == name && packed_end(packed) == name + length
       && packed <= UINT64_MAX && (packed >= ASSAY_ENTRY_PLAIN <==> plain);
@/
void assay_name_packed(uint32_t name, uint32_t length, bool plain);

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures begin: table_before(head, end, first_key(head, 9, end), 0, 0, 0);
@/
void assay_table_begin(const uint8_t *head, uint32_t end);

// The name that begins here.
/@ requires before: table_before(head, end, key, tensors, metadata, pairs);
   requires key: head[key] == 0x22 && close == string_end(head, key + 1, end);
   requires tensor: is_metadata(head, key + 1, close) != 1 && tensors < UINT64_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures named: tensor_text(head, end, tensors, key + 1, close);
@/
void assay_name_here(const uint8_t *head, uint32_t end, uint32_t key, uint32_t close, uint64_t tensors,
                     uint64_t metadata, uint64_t pairs);

/@ requires before: table_before(head, end, key, tensors, metadata, pairs);
   requires key: head[key] == 0x22;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures tensor: \let close = string_end(head, key + 1, end);
       is_metadata(head, key + 1, close) != 1 ==>
           tensor_key(head, end, tensors) == key && tensor_name_end(head, end, tensors) == close;
   ensures object: \let close = string_end(head, key + 1, end);
       \let object = key_value(head, close, end, 0x7B);
       is_metadata(head, key + 1, close) != 1 ==>
           tensor_object(head, end, tensors) == object && tensor_begin(head, end, tensors) ==
               object_begin(head, object, end) && tensor_finish(head, end, tensors) == object_finish(head, object, end);
   ensures metadata: \let close = string_end(head, key + 1, end);
       is_metadata(head, key + 1, close) == 1 && metadata == 0 ==>
           pair_key(head, end, 0) == first_key(head, key_value(head, close, end, 0x7B) + 1, end);
@/
void assay_table_here(const uint8_t *head, uint32_t end, uint32_t key, uint64_t tensors, uint64_t metadata,
                      uint64_t pairs);

/@ requires before: table_before(head, end, key, tensors, metadata, pairs);
   requires key: head[key] == 0x22;
   requires next: \let close = string_end(head, key + 1, end);
       next == next_key(head, root_value_end(head, close, end, is_metadata(head, key + 1, close), unlimited,
                                             unlimited), end);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures tensor: key < next < end && is_metadata(head, key + 1, string_end(head, key + 1, end)) != 1 ==>
       table_before(head, end, next, tensors + 1, metadata, pairs);
   ensures metadata: key < next < end && is_metadata(head, key + 1, string_end(head, key + 1, end)) == 1 &&
       metadata == 0 && pair_count(head, end, count) ==> table_before(head, end, next, tensors, 1, count);
@/
void assay_table_step(const uint8_t *head, uint32_t end, uint32_t key, uint64_t next, uint64_t tensors,
                      uint64_t metadata, uint64_t pairs, uint64_t count);

/@ requires before: table_before(head, end, key, tensors, metadata, pairs);
   requires key: head[key] != 0x22;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures tensors: tensor_count(head, end, tensors);
   ensures pairs: pair_count(head, end, pairs);
   ensures metadata: metadata != 0 <==> head[metadata_key(head, end)] == 0x22;
@/
void assay_table_end(const uint8_t *head, uint32_t end, uint32_t key, uint64_t tensors, uint64_t metadata,
                     uint64_t pairs);
*/

#endif
