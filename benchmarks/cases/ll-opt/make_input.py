"""Prints a module of LLVM IR as a compiler would; one function copies between two arrays."""

import random

rng = random.Random(56579)
BINARY = "add sub mul and or xor shl".split()
COMPARE = "eq ne slt sgt sle sge".split()


class Body:
    """The lines of one function, with values numbered as they come."""

    def __init__(self, arguments):
        self.lines = []
        self.next = arguments

    def value(self, text):
        name = f"%v{self.next}"
        self.next += 1
        self.lines.append(f"  {name} = {text}")
        return name


def straight(number, callees):
    body = Body(2)
    values = ["%v0", "%v1"]
    slot = body.value("alloca i32, align 4")
    for step in range(rng.randrange(10, 22)):
        kind = rng.randrange(6)
        one, two = rng.choice(values), rng.choice(values)
        if kind == 0 and callees:
            values.append(body.value(f"call i32 @{rng.choice(callees)}(i32 {one}, i32 {two})"))
        elif kind == 1:
            body.lines.append(f"  store i32 {one}, ptr {slot}, align 4")
            values.append(body.value(f"load i32, ptr {slot}, align 4"))
        elif kind == 2:
            test = body.value(f"icmp {rng.choice(COMPARE)} i32 {one}, {two}")
            values.append(body.value(f"select i1 {test}, i32 {one}, i32 {rng.randrange(999)}"))
        elif kind == 3:
            field = body.value(f"getelementptr inbounds %record, ptr @state, i64 0, i32 {rng.randrange(3)}")
            values.append(body.value(f"load i32, ptr {field}, align 4"))
        else:
            values.append(body.value(f"{rng.choice(BINARY)} i32 {one}, {two}"))
    print(f"define i32 @work{number}(i32 %v0, i32 %v1) #0 {{\nentry:")
    print("\n".join(body.lines))
    print(f"  ret i32 {values[-1]}\n}}\n")
    return f"work{number}"


def branching(number, callees):
    print(f"define i32 @pick{number}(i32 %v0, i32 %v1) #0 {{\nentry:")
    print(f"  %c0 = icmp {rng.choice(COMPARE)} i32 %v0, %v1\n  br i1 %c0, label %yes, label %no\n")
    print(f"yes:\n  %a0 = call i32 @{rng.choice(callees)}(i32 %v0, i32 {rng.randrange(99)})")
    print(f"  br label %done\n\nno:\n  %a1 = {rng.choice(BINARY)} i32 %v1, {rng.randrange(99)}")
    print("  br label %done\n\ndone:\n  %r = phi i32 [ %a0, %yes ], [ %a1, %no ]\n  ret i32 %r\n}\n")
    return f"pick{number}"


LOOP = """\
define i32 @blend(ptr %source, ptr %target, i32 %bias, i64 %count) #0 {
entry:
  %start = call i32 @work3(i32 %bias, i32 7)
  %empty = icmp eq i64 %count, 0
  br i1 %empty, label %exit, label %head

head:
  %scale = add i32 %start, %bias
  br label %body

body:
  %index = phi i64 [ 0, %head ], [ %following, %body ]
  %from = getelementptr inbounds i32, ptr %source, i64 %index
  %old = load i32, ptr %from, align 4
  %moved = mul i32 %old, %scale
  %sum = add i32 %moved, %bias
  %to = getelementptr inbounds i32, ptr %target, i64 %index
  store i32 %sum, ptr %to, align 4
  %following = add nuw i64 %index, 1
  %over = icmp eq i64 %following, %count
  br i1 %over, label %exit, label %body, !llvm.loop !0

exit:
  %last = call i32 @work5(i32 %start, i32 %bias)
  ret i32 %last
}
"""

print("source_filename = \"blend.c\"\n\n%record = type { i32, i32, i32 }\n")
print("@state = global %record zeroinitializer, align 4")
for number in range(40):
    size = rng.randrange(2, 12)
    items = ", ".join(f"i32 {rng.randrange(9999)}" for _ in range(size))
    print(f"@table{number} = internal constant [{size} x i32] [{items}], align 4")
print()
names = []
for number in range(160):
    if number == 97:
        print(LOOP)
    make = branching if number > 10 and rng.random() < 0.3 else straight
    names.append(make(number, names[-12:]))
print("attributes #0 = { nounwind uwtable }\n\n!0 = distinct !{!0, !1}\n!1 = !{!\"llvm.loop.mustprogress\"}")
