define void @f(ptr %p, ptr %q) {
br label %l
l:
%i = phi i64 [0, %0], [%j, %l]
%v = load i32, ptr %p
store i32 0, ptr %q
%j = add i64 %i, 1
br i1 true, label %x, label %l
x:
ret void
}
