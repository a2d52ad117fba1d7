package v1

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// appendTagged appends the object v with its union tag as the first member. It uses
// encoding/json, so it is meant for infrequent values.
func appendTagged(dst []byte, key, tag string, v any) []byte {
	dst = append(dst, '{')
	dst = rawjson.AppendString(dst, key)
	dst = append(dst, ':')
	dst = rawjson.AppendString(dst, tag)
	body := AppendValue(nil, v)
	if len(body) > 2 {
		dst = append(dst, ',')
	}
	return append(dst, body[1:]...)
}

// AppendValue appends the JSON of v without escaping HTML. v must have one of this
// package's types, because these can always be encoded.
func AppendValue(dst []byte, v any) []byte {
	buf := bytes.NewBuffer(dst)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("v1: %T cannot be encoded: %v", v, err))
	}
	out := buf.Bytes()
	return out[:len(out)-1] // Encode's newline
}

// member appends the key of the next member to the object at the end of dst, preceded
// by a comma unless it is the first.
func member(dst []byte, key string) []byte {
	if n := len(dst); n > 0 && dst[n-1] != '{' {
		dst = append(dst, ',')
	}
	dst = append(dst, '"')
	dst = append(dst, key...)
	return append(dst, '"', ':')
}

func stringMember(dst []byte, key, value string) []byte {
	if value == "" {
		return dst
	}
	return rawjson.AppendString(member(dst, key), value)
}

func rawMember(dst []byte, key string, value []byte) []byte {
	if len(value) == 0 {
		return dst
	}
	return append(member(dst, key), value...)
}

func metaMember(dst []byte, meta Meta) []byte {
	if len(meta) == 0 {
		return dst
	}
	keys := slices.AppendSeq(make([]string, 0, 8), maps.Keys(meta)) // usually not on the heap
	slices.Sort(keys)
	dst = append(member(dst, "_meta"), '{')
	for i, key := range keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendPlain(append(rawjson.AppendString(dst, key), ':'), meta[key])
	}
	return append(dst, '}')
}

// appendPlain appends a value. It avoids reflection for the types that are frequent in
// _meta.
func appendPlain(dst []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return rawjson.AppendString(dst, v)
	case bool:
		return strconv.AppendBool(dst, v)
	case float64:
		if n := int64(v); float64(n) == v && n > -1<<53 && n < 1<<53 {
			return strconv.AppendInt(dst, n, 10)
		}
	}
	return AppendValue(dst, v)
}
