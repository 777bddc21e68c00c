/* test_view.c: the access API: its results for valid files, and no cursor or index makes it read or write elsewhere. */
#include "../../src/core/dtypes.h"
#include "view_of.h"
#include "suite.h"

static const char file[] = "{\"__metadata__\":{\"format\":\"pt\",\"\\u00e9\":\"a\\nb\",\"\":\"\"},"
                           "\"b\":{\"dtype\":\"F16\",\"shape\":[ 1 ,\t3\n],\"data_offsets\":[2,8]},"
                           "\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},"
                           "\"e\":{\"dtype\":\"F4\",\"shape\":[0,4611686018427387903],\"data_offsets\":[8,8]},"
                           "\"\":{\"dtype\":\"C64\",\"shape\":[],\"data_offsets\":[8,16]}}";

static void open_file(assay_view *view)
{
    ck_assert_uint_eq(view_of(file, 16, view), ASSAY_OK);
}

static const uint8_t *bytes_of(const char *text)
{
    return (const uint8_t *)text;
}

START_TEST(tensors_in_layout_order)
{
    static const uint64_t place[] = {1, 0, 2, 3}, begin[] = {0, 2, 8, 8}, end[] = {2, 8, 8, 16}, rank[] = {1, 2, 2, 0};
    static const uint64_t dtype[] = {ASSAY_DTYPE_U8, ASSAY_DTYPE_F16, ASSAY_DTYPE_F4, ASSAY_DTYPE_C64};
    static const uint64_t bits[] = {8, 16, 4, 64};
    assay_view view;
    assay_tensor t;
    open_file(&view);
    ck_assert_uint_eq(assay_tensor_count(&view), 4);
    for (uint64_t k = 0; k < 4; k++) {
        ck_assert(assay_tensor_at(&view, k, &t));
        ck_assert_uint_eq(t.index, place[k]);
        ck_assert_uint_eq(t.begin, view.data_begin + begin[k]);
        ck_assert_uint_eq(t.end, view.data_begin + end[k]);
        ck_assert_uint_eq(t.rank, rank[k]);
        ck_assert_uint_eq(t.dims.left, rank[k]);
        ck_assert_uint_eq(t.dtype, dtype[k]);
        ck_assert_uint_eq(t.bits, bits[k]);
    }
    memset(&t, 0xA5, sizeof t);
    assay_tensor same = t;
    ck_assert(!assay_tensor_at(&view, 4, &t));
    ck_assert(!assay_tensor_at(&view, UINT64_MAX, &t));
    ck_assert_mem_eq(&t, &same, sizeof t);
}
END_TEST

/* Entries that no header produces, but a view can hold. */
START_TEST(any_entry_is_unpacked)
{
    static const uint64_t ats[] = {0, 1, 9, 21, 50}, types[] = {1, 2, 21, 22};
    static const uint64_t ranks[] = {0, 1, 2, 65535, (1u << 27) - 1};
    assay_view view;
    assay_tensor t;
    open_file(&view);
    for (uint32_t k = 0; k < 5 * 5 * 5 * 4; k++) {
        uint64_t name = ats[k % 5], length = ats[k / 5 % 5], at = ats[(k + k / 5) % 5], rank = ranks[k / 25 % 5];
        assay_entry entry[4] = {{1, 3, length << 32 | name, types[k / 125] << 59 | rank << 32 | at}};
        memcpy(entry + 1, view.entry + 1, 3 * sizeof *entry);
        assay_view mine = view;
        mine.entry = entry;
        ck_assert(assay_tensor_at(&mine, 1, &t) && t.index == 0);
        MUST(t.begin == view.data_begin + 1 && t.end == view.data_begin + 3);
        MUST(t.dtype == types[k / 125] && t.bits == assay_dtype_bits((uint32_t)t.dtype));
        MUST(t.name.at == name && t.name.end == name + length);
        MUST(t.rank == rank && t.dims.left == rank && t.dims.at == at);
    }
}
END_TEST

START_TEST(tensors_by_name)
{
    assay_view view;
    assay_tensor t;
    open_file(&view);
    ck_assert(assay_tensor_find(&view, bytes_of("a"), 1, &t) && t.index == 1);
    ck_assert(assay_tensor_find(&view, bytes_of("b"), 1, &t) && t.index == 0);
    ck_assert(assay_tensor_find(&view, NULL, 0, &t) && t.index == 3);
    memset(&t, 0xA5, sizeof t);
    assay_tensor same = t;
    ck_assert(!assay_tensor_find(&view, bytes_of("c"), 1, &t));
    ck_assert(!assay_tensor_find(&view, bytes_of("format"), 6, &t));
    ck_assert(!assay_tensor_find(&view, bytes_of("\xFF"), 1, &t));
    ck_assert_mem_eq(&t, &same, sizeof t);
    ck_assert_uint_eq(view_of("{}", 0, &view), ASSAY_OK);
    ck_assert(!assay_tensor_find(&view, bytes_of("a"), 1, &t));
    ck_assert_uint_eq(assay_tensor_count(&view), 0);
}
END_TEST

/* Look up PREFIX5 in a view that assay did not make: `last`, the last name of the header, comes between PREFIX4 and
 * PREFIX6 in its order of names. */
static void look_up_beside(const char *prefix, const char *last)
{
    static const uint32_t order[] = {0, 1, 2, 3, 6, 4, 5};
    char name[112], json[2048] = "{";
    size_t size = 1;
    for (size_t i = 0; i < 7; i++) {
        snprintf(name, sizeof name, "%s%c", prefix, "012467"[i % 6]);
        size += (size_t)snprintf(json + size, sizeof json - size,
                                 "\"%s\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}%c",
                                 i < 6 ? name : last, i < 6 ? ',' : '}');
    }
    assay_view view;
    assay_tensor t;
    ck_assert_uint_eq(view_of(json, 0, &view), ASSAY_OK);
    uint8_t *head = exactly((const char *)view.head, view.data_begin);
    view.head = head;
    view.by_name = order;
    snprintf(name, sizeof name, "%s5", prefix);
    ck_assert(!assay_tensor_find(&view, bytes_of(name), strlen(name), &t));
    snprintf(name, sizeof name, "%s6", prefix);
    ck_assert(assay_tensor_find(&view, bytes_of(name), strlen(name), &t) && t.index == 4);
    free(head);
}

/* Nothing wrong is found and nothing after the header is read, though a name may be much shorter than what its
 * neighbours share, or differ from it only in that part. */
START_TEST(names_in_a_wrong_order)
{
    char prefix[101], other[112];
    memset(prefix, 'a', sizeof prefix - 1);
    prefix[sizeof prefix - 1] = '\0';
    snprintf(other, sizeof other, "B%s5", prefix + 1);
    look_up_beside(prefix, "");
    look_up_beside(prefix, "b");
    look_up_beside(prefix, "\\u0062");
    look_up_beside(prefix, other);
}
END_TEST

START_TEST(dims)
{
    assay_view view;
    assay_tensor t;
    uint64_t dim = 0;
    open_file(&view);
    ck_assert(assay_tensor_find(&view, bytes_of("b"), 1, &t));
    ck_assert(assay_dim_next(&view, &t.dims, &dim) && dim == 1);
    ck_assert(assay_dim_next(&view, &t.dims, &dim) && dim == 3);
    ck_assert(!assay_dim_next(&view, &t.dims, &dim) && dim == 3);
    ck_assert(assay_tensor_find(&view, bytes_of("e"), 1, &t));
    ck_assert(assay_dim_next(&view, &t.dims, &dim) && dim == 0);
    ck_assert(assay_dim_next(&view, &t.dims, &dim) && dim == UINT64_MAX / 4);
    ck_assert(!assay_dim_next(&view, &t.dims, &dim));
}
END_TEST

/* Return whether there is a dim at `at`, or after a comma there; *dim, *stop: the number and its end. */
static bool plain_dim(const char *text, uint64_t size, uint64_t at, uint64_t *dim, uint64_t *stop)
{
    static const char space[] = " \t\n\r", digits[] = "0123456789", largest[] = "18446744073709551615";
    if (at >= size) {
        return false;
    }
    at += strspn(text + at, space);
    at += text[at] == ',' ? 1 + strspn(text + at + 1, space) : 0;
    size_t length = strspn(text + at, digits);
    *stop = at + length;
    if (length == 0 || *stop == size || strspn(text + *stop, "+-.eE") != 0 || (length > 1 && text[at] == '0')) {
        return false;
    }
    *dim = strtoull(text + at, NULL, 10);
    return length < 20 || (length == 20 && strncmp(text + at, largest, 20) <= 0);
}

/* A cursor anywhere in any header, with any number of dims left. */
START_TEST(dims_are_what_stands_there)
{
    static const char text[] = "1 , 23,4,, 5 ,-6,7-,08,9.,0,10e1,+,18446744073709551615,18446744073709551616\n,\t11\r,"
                               "99999999999999999999,184467440737095516150,x,12]  \"13\" 14 , ,15,";
    static const uint64_t lefts[] = {0, 1, 2, UINT64_MAX}, beyond = 4294967296;
    for (size_t size = 1; size < sizeof text; size++) {
        char cut[sizeof text] = "";
        uint8_t *head = exactly(text, size);
        memcpy(cut, text, size);
        for (uint64_t k = 0; k < 4 * (size + 3); k++) {
            uint64_t at = k / 4 < size + 2 ? k / 4 : UINT64_MAX, left = lefts[k % 4], number = 7, stop = at, dim = 7;
            assay_dims dims = {at, left}, far = {at + beyond, left};
            bool there = left > 0 && plain_dim(cut, size, at, &number, &stop);
            MUST(assay_dim_read(head, (uint32_t)size, &dims, &dim) == there);
            MUST(dims.at == (there ? stop : at) && dims.left == left - there && dim == (there ? number : 7));
            MUST(at + beyond < at || !assay_dim_read(head, (uint32_t)size, &far, &dim));
        }
        free(head);
    }
}
END_TEST

/* Cursors that assay did not make. */
START_TEST(dims_of_foreign_cursors)
{
    assay_view view;
    uint64_t dim = 7;
    ck_assert_uint_eq(view_of("{\"18446744073709551616 18446744073709551619 99999999999999999999 1844674407370955161500"
                              " 18446744073709551615\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1]}}   ",
                              1, &view), ASSAY_OK);
    static const uint64_t beyond[] = {10, 31, 52, 73};
    for (size_t k = 0; k < 4; k++) {
        assay_dims dims = {beyond[k], 3};
        ck_assert(!assay_dim_next(&view, &dims, &dim));
        ck_assert(dims.at == beyond[k] && dims.left == 3 && dim == 7);
    }
    assay_dims largest = {96, 1};
    ck_assert(assay_dim_next(&view, &largest, &dim) && dim == UINT64_MAX);
    for (uint64_t at = 0; at < view.data_begin + 3; at++) {
        assay_dims dims = {at, 2};
        if (assay_dim_next(&view, &dims, &dim)) {
            ck_assert(dims.at > at && dims.at <= view.data_begin && dims.left == 1);
        }
    }
    assay_dims far = {UINT64_MAX, UINT64_MAX}, none = {10, 0};
    ck_assert(!assay_dim_next(&view, &far, &dim));
    ck_assert(!assay_dim_next(&view, &none, &dim));
}
END_TEST

/* All dims at once: into no room, too little, enough and more than enough, each array of exactly its size. */
START_TEST(dims_at_once)
{
    static const uint64_t rank[] = {1, 2, 2, 0}, dims[][2] = {{2, 0}, {1, 3}, {0, UINT64_MAX / 4}, {0, 0}};
    assay_view view;
    assay_tensor t;
    open_file(&view);
    for (uint64_t k = 0; k < 4; k++) {
        ck_assert(assay_tensor_at(&view, k, &t));
        const assay_tensor before = t;
        for (uint64_t size = 0; size < 5; size++) {
            uint64_t *room = malloc(size * sizeof *room + 1);
            memset(room, 0xA5, size * sizeof *room);
            ck_assert_uint_eq(assay_tensor_dims(&view, &t, room, size), size < rank[k] ? size : rank[k]);
            for (uint64_t i = 0; i < size; i++) {
                ck_assert_uint_eq(room[i], i < rank[k] ? dims[k][i] : UINT64_C(0xA5A5A5A5A5A5A5A5));
            }
            free(room);
        }
        ck_assert_mem_eq(&t, &before, sizeof t);
    }
}
END_TEST

/* Tensors that assay did not make: the dims that assay_dim_next returns from there, and nothing beyond the header. */
START_TEST(dims_of_foreign_tensors)
{
    static const uint64_t lefts[] = {0, 1, 2, 5, UINT64_MAX}, sizes[] = {0, 1, 3, 40};
    assay_view view;
    ck_assert_uint_eq(view_of("{\"1,2 3\":{\"dtype\":\"U8\",\"shape\":[1,1,1,1,1,1,1,1],\"data_offsets\":[0,1]},"
                              "\"18446744073709551615,18446744073709551616\":"
                              "{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[1,2]}}",
                              2, &view), ASSAY_OK);
    uint8_t *head = exactly((const char *)view.head, view.data_begin);
    view.head = head;
    for (uint64_t k = 0; k < (view.data_begin + 4) * 5 * 4; k++) {
        uint64_t at = k / 20, left = lefts[k / 4 % 5], size = sizes[k % 4], count = 0, dim = 0;
        at = at < view.data_begin + 2 ? at : at == view.data_begin + 2 ? UINT64_MAX : UINT64_C(4294967296) + 12;
        assay_tensor t;
        memset(&t, 0xFF, sizeof t);
        t.dims = (assay_dims){at, left};
        uint64_t *room = malloc(size * sizeof *room + 1);
        memset(room, 0xA5, size * sizeof *room);
        uint64_t written = assay_tensor_dims(&view, &t, room, size);
        MUST(written <= size && written <= left);
        for (assay_dims rest = t.dims; count < size && assay_dim_next(&view, &rest, &dim); count++) {
            MUST(room[count] == dim);
        }
        MUST(written == count);
        for (; count < size; count++) {
            MUST(room[count] == UINT64_C(0xA5A5A5A5A5A5A5A5));
        }
        free(room);
    }
    free(head);
}
END_TEST

START_TEST(bytes)
{
    assay_view view;
    assay_tensor t;
    open_file(&view);
    uint64_t size = view.data_begin + view.data_size;
    uint8_t *whole = malloc(size);
    ck_assert(assay_tensor_find(&view, bytes_of(""), 0, &t));
    ck_assert_ptr_eq(assay_tensor_data(&t, whole, size), whole + size - 8);
    ck_assert_ptr_null(assay_tensor_data(&t, whole, size - 1));
    ck_assert_ptr_eq(assay_tensor_data(&t, whole, size + 1), whole + size - 8);
    ck_assert_ptr_null(assay_tensor_data(&t, NULL, size));
    t.begin = t.end + 1;
    ck_assert_ptr_null(assay_tensor_data(&t, whole, size));
    ck_assert(assay_tensor_find(&view, bytes_of("e"), 1, &t)); /* it has no bytes, but a place */
    ck_assert_ptr_eq(assay_tensor_data(&t, whole, size), whole + size - 8);
    free(whole);
}
END_TEST

START_TEST(texts)
{
    assay_view view;
    assay_text key, value;
    uint32_t c = 0;
    open_file(&view);
    ck_assert_uint_eq(assay_metadata_count(&view), 3);
    ck_assert(assay_metadata_at(&view, 1, &key, &value));
    ck_assert_int_eq(assay_text_compare(&view, key, bytes_of("\xC3\xA9"), 2), 0);
    ck_assert_int_eq(assay_text_compare(&view, value, bytes_of("a\nb"), 3), 0);
    ck_assert_int_eq(assay_text_compare(&view, value, bytes_of("a"), 1), 1);
    ck_assert_int_eq(assay_text_compare(&view, value, bytes_of("b"), 1), -1);
    ck_assert(assay_text_next(&view, &key, &c) && c == 0xE9);
    ck_assert(!assay_text_next(&view, &key, &c) && c == 0xE9);
    ck_assert(assay_metadata_at(&view, 2, &key, &value));
    ck_assert(!assay_text_next(&view, &key, &c));
    ck_assert_int_eq(assay_text_compare(&view, key, NULL, 0), 0);
    ck_assert(!assay_metadata_at(&view, 3, &key, &value));
    ck_assert(!assay_metadata_at(&view, UINT64_MAX, &key, &value));
}
END_TEST

/* A text that the caller cuts ends where it says, even if the bytes after it are those that it is compared with. */
START_TEST(texts_that_are_cut)
{
    assay_view view;
    assay_text key, value;
    ck_assert_uint_eq(view_of("{\"__metadata__\":{\"abc\":\"\"}}", 0, &view), ASSAY_OK);
    ck_assert(assay_metadata_at(&view, 0, &key, &value));
    ck_assert_int_eq(assay_text_compare(&view, key, bytes_of("abc"), 3), 0);
    for (uint64_t size = 0; size < 3; size++) {
        assay_text cut = {key.at, key.at + size};
        ck_assert_int_eq(assay_text_compare(&view, cut, bytes_of("abc"), 3), -1);
        ck_assert_int_eq(assay_text_compare(&view, cut, bytes_of("abc"), size), 0);
    }
}
END_TEST

START_TEST(texts_that_are_not_in_the_header)
{
    assay_view view;
    uint32_t c = 5;
    open_file(&view);
    assay_text outside[] = {{0, view.data_begin + 1}, {5, 4}, {UINT64_MAX, UINT64_MAX}, {UINT64_MAX, 0}, {4, 4}};
    for (size_t k = 0; k < sizeof outside / sizeof *outside; k++) {
        assay_text before = outside[k];
        ck_assert(!assay_text_next(&view, &outside[k], &c));
        ck_assert_mem_eq(&before, &outside[k], sizeof before);
        ck_assert_int_eq(assay_text_compare(&view, outside[k], bytes_of("x"), 1), -1);
        ck_assert_int_eq(assay_text_compare(&view, outside[k], NULL, 0), 0);
    }
    ck_assert_uint_eq(c, 5);
    assay_text far = {UINT64_C(4294967296) + 10, 15}, last = {view.data_begin - 1, view.data_begin};
    ck_assert_int_eq(assay_text_compare(&view, far, NULL, 0), 0);
    ck_assert_int_eq(assay_text_compare(&view, last, bytes_of("}"), 1), 0);
    ck_assert(assay_text_next(&view, &last, &c) && c == '}' && last.at == view.data_begin);
    for (uint64_t at = 0; at < view.data_begin; at++) {
        for (assay_text text = {at, view.data_begin}; assay_text_next(&view, &text, &c);) {
            MUST(text.at > at && text.at <= text.end && c <= 0x10FFFF);
        }
    }
}
END_TEST

START_TEST(metadata_by_key)
{
    assay_view view;
    assay_text value = {1, 2};
    open_file(&view);
    ck_assert(assay_metadata_find(&view, bytes_of("format"), 6, &value));
    ck_assert_int_eq(assay_text_compare(&view, value, bytes_of("pt"), 2), 0);
    ck_assert(assay_metadata_find(&view, NULL, 0, &value) && value.at == value.end);
    value.at = 1;
    ck_assert(!assay_metadata_find(&view, bytes_of("Format"), 6, &value));
    ck_assert_uint_eq(value.at, 1);
    ck_assert_uint_eq(view_of("{}", 0, &view), ASSAY_OK);
    ck_assert(!assay_metadata_find(&view, bytes_of("format"), 6, &value));
    ck_assert_uint_eq(view.metadata, 0);
    ck_assert_uint_eq(view_of("{\"__metadata__\":{}}", 0, &view), ASSAY_OK);
    ck_assert_uint_eq(view.metadata, 1);
    ck_assert_uint_eq(assay_metadata_count(&view), 0);
}
END_TEST

SUITE_MAIN("view", tensors_in_layout_order, any_entry_is_unpacked, tensors_by_name,
           names_in_a_wrong_order, dims, dims_are_what_stands_there,
           dims_of_foreign_cursors, dims_at_once, dims_of_foreign_tensors, bytes, texts, texts_that_are_cut,
           texts_that_are_not_in_the_header, metadata_by_key)
