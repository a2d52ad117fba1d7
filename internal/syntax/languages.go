package syntax

// A Language has the words and delimiters of a language, each list separated by spaces.
type Language struct {
	names   string // its names and the extensions of its files
	comment string // what begins a comment that ends with the line
	block   [2]string
	quotes  string // delimiters of strings; a longer one comes before its beginning
	long    string // those whose strings may have several lines
	raw     string // those in whose strings a backslash is not an escape
	words   string // keywords
	anyCase bool   // keywords may be in upper case
	// prefixes is set if letters may precede a string, as in f'x'.
	prefixes bool
}

var (
	slashes = [2]string{"/*", "*/"}
	noBlock [2]string
)

// languages lists the languages. It is data only, so that it costs nothing at start-up.
var languages = [...]Language{
	{
		names: "go golang", comment: "//", block: slashes, quotes: "\" ' `", long: "`", raw: "`",
		words: "break case chan const continue default defer else fallthrough for func go goto if import interface map package range " +
			"return select struct switch type var true false nil iota",
	},
	{
		names: "python py pyi python3", comment: "#", block: noBlock, quotes: "\"\"\" ''' \" '", long: "\"\"\" '''", prefixes: true,
		words: "and as assert async await break case class continue def del elif else except finally for from global if import in is lambda " +
			"match nonlocal not or pass raise return try while with yield True False None self",
	},
	{
		names: "javascript js jsx mjs cjs typescript ts tsx mts cts", comment: "//", block: slashes, quotes: "\" ' `", long: "`",
		words: "abstract as async await break case catch class const continue debugger declare default delete do else enum export extends " +
			"finally for from function get if implements import in instanceof interface keyof let namespace new of private protected public " +
			"readonly return satisfies set static super switch this throw try type typeof var void while with yield true false null undefined",
	},
	{
		names: "rust rs", comment: "//", block: slashes, quotes: "\"", long: "\"",
		words: "as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod move mut pub ref return " +
			"self Self static struct super trait type unsafe use where while true false",
	},
	{
		names: "java kotlin kt kts scala groovy gradle", comment: "//", block: slashes, quotes: "\"\"\" \" '", long: "\"\"\"",
		words: "abstract as assert break case catch class companion const continue data def default do else enum extends final finally for " +
			"fun if implements import in init instanceof interface internal is lateinit match native new object open override package private " +
			"protected public record return sealed static super suspend switch synchronized this throw throws trait try typealias val var " +
			"void volatile when where while with yield boolean byte char double float int long short true false null",
	},
	{
		names: "c h cpp cc cxx hpp hh c++ objc m", comment: "//", block: slashes, quotes: "\" '",
		words: "alignas auto bool break case catch char class const consteval constexpr continue default delete do double else enum explicit " +
			"export extern final float for friend goto if inline int long mutable namespace new noexcept nullptr operator override private " +
			"protected public register return short signed sizeof static struct switch template this throw try typedef typename union " +
			"unsigned using virtual void volatile while true false NULL include define ifdef ifndef endif pragma",
	},
	{
		names: "csharp cs c# dart", comment: "//", block: slashes, quotes: "\"\"\" ''' \" '", long: "\"\"\" '''",
		words: "abstract as async await base bool break byte case catch char class const continue decimal default delegate do double dynamic " +
			"else enum event export extends factory final finally fixed float for foreach get if implements import in int interface internal " +
			"is late library lock long mixin namespace new null object on operator out override params part private protected public readonly " +
			"record ref required return sealed set short static string struct super switch this throw try typedef using var virtual void " +
			"when while with yield true false",
	},
	{
		names: "swift", comment: "//", block: slashes, quotes: "\"\"\" \"", long: "\"\"\"",
		words: "actor as associatedtype async await break case catch class continue default defer do else enum extension fallthrough false " +
			"fileprivate for func guard if import in init inout internal is let mutating nil open operator override private protocol public " +
			"repeat rethrows return self Self some static struct subscript super switch throw throws true try typealias var where while",
	},
	{
		names: "ruby rb rake gemfile rakefile", comment: "#", block: noBlock, quotes: "\" '",
		words: "alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or redo require " +
			"rescue retry return self super then true undef unless until when while yield",
	},
	{
		names: "php", comment: "// #", block: slashes, quotes: "\" '", long: "\" '",
		words: "abstract and array as break callable case catch class clone const continue declare default do echo else elseif enum extends " +
			"final finally fn for foreach function global if implements include instanceof interface isset match namespace new null or " +
			"private protected public readonly require return static switch throw trait try unset use var while yield true false",
	},
	{
		names: "sh shell bash zsh fish ksh", comment: "#", block: noBlock, quotes: "\" '", long: "\" '", raw: "'",
		words: "case do done elif else end esac export fi for function if in local readonly return select set shift then trap unset until while",
	},
	{
		names: "sql", comment: "--", block: slashes, quotes: "' \"", long: "'", raw: "' \"", anyCase: true,
		words: "add all alter and any as asc begin between by case check column commit constraint create cross default delete desc distinct " +
			"drop else end except exists false foreign from full group having if in index inner insert intersect into is join key left like " +
			"limit not null offset on or order outer primary references returning right rollback select set table then transaction trigger " +
			"true union unique update using values view when where with",
	},
	{
		names: "lua", comment: "--", block: [2]string{"--[[", "]]"}, quotes: "\" '",
		words: "and break do else elseif end false for function goto if in local nil not or repeat return then true until while",
	},
	{names: "yaml yml", comment: "#", block: noBlock, quotes: "\" '", words: "true false null yes no on off"},
	{names: "toml ini cfg conf properties", comment: "# ;", block: noBlock, quotes: "\"\"\" ''' \" '", long: "\"\"\" '''", raw: "''' '", words: "true false"},
	{names: "json jsonc json5 jsonl", comment: "//", block: slashes, quotes: "\"", words: "true false null"},
	{names: "css scss less", comment: "", block: slashes, quotes: "\" '", words: "important media import supports keyframes font-face"},
	{names: "make makefile mk", comment: "#", block: noBlock, quotes: "\" '", words: "ifeq ifneq ifdef ifndef else endif include define endef export"},
	{
		names: "dockerfile containerfile", comment: "#", block: noBlock, quotes: "\" '",
		words: "FROM AS RUN CMD LABEL EXPOSE ENV ADD COPY ENTRYPOINT VOLUME USER WORKDIR ARG ONBUILD STOPSIGNAL HEALTHCHECK SHELL",
	},
	{
		names: "elixir ex exs", comment: "#", block: noBlock, quotes: "\"\"\" \" '", long: "\"\"\"",
		words: "after alias and case catch cond def defmacro defmodule defp defstruct do else end false fn for if import in nil not or quote " +
			"raise receive require rescue true try unless use when with",
	},
	{
		names: "zig", comment: "//", block: noBlock, quotes: "\" '",
		words: "and break catch comptime const continue defer else enum errdefer error export extern false fn for if inline null or orelse " +
			"packed pub return struct switch test true try undefined union unreachable usingnamespace var volatile while",
	},
	{
		names: "elisp el lisp clojure clj scheme", comment: ";", block: noBlock, quotes: "\"", long: "\"",
		words: "and cond def defconst defcustom defmacro defn defun defvar do fn if lambda let loop ns or progn recur require setq unless when nil t true false",
	},
	{
		names: "terraform tf hcl", comment: "# //", block: slashes, quotes: "\"",
		words: "data for in locals module output provider resource terraform variable true false null",
	},
	{
		names: "protobuf proto graphql gql", comment: "// #", block: slashes, quotes: "\"\"\" \"", long: "\"\"\"",
		words: "enum extend fragment implements import input interface message mutation on oneof option optional package query repeated " +
			"reserved returns rpc scalar schema service subscription syntax type union true false null",
	},
}
