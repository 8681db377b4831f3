; ModuleID = 'parcels.c'
source_filename = "parcels.c"
target triple = "x86_64-pc-linux-gnu"

%struct.parcel = type { i32, i64, [4 x i8], ptr }

@.str = private unnamed_addr constant [9 x i8] c"%d: %ld\0A\00", align 1
@weights = internal global [3 x i32] [i32 2, i32 -7, i32 zeroinitializer], align 4
@heaviest = external global i64
@limit = dso_local constant double 1.500000e+00, align 8

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @weigh(i32 noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  store i32 %0, ptr %3, align 4
  store ptr %1, ptr %4, align 8
  br label %5

5:                                                ; preds = %11, %2
  %6 = load i32, ptr %3, align 4
  %7 = icmp sgt i32 %6, 0
  br i1 %7, label %8, label %15

8:                                                ; preds = %5
  %9 = load ptr, ptr %4, align 8
  %10 = getelementptr inbounds %struct.parcel, ptr %9, i64 0, i32 1
  br label %11

11:                                               ; preds = %8
  %12 = load i64, ptr %10, align 8
  %13 = add nsw i32 %6, -1
  store i32 %13, ptr %3, align 4
  %14 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %13, i64 noundef %12)
  br label %5, !llvm.loop !3

15:                                               ; preds = %5
  %16 = load i32, ptr getelementptr inbounds ([3 x i32], ptr @weights, i64 0, i64 1), align 4
  ret i32 %16
}

define internal double @share(double %whole, i1 zeroext %is_fragile) {
entry:
  %half = fdiv double %whole, 2.0e+00
  br i1 %is_fragile, label %fragile, label %done

fragile:
  %less = fmul double %half, %whole
  br label %done

done:
  %result = phi double [ %half, %entry ], [ %less, %fragile ]
  switch i32 7, label %end [
    i32 0, label %end
    i32 1, label %end
  ]

end:
  %text = select i1 %is_fragile, double %result, double undef
  ret double %text
}

declare i32 @printf(ptr noundef, ...) #1

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" }
attributes #1 = { "no-trapping-math"="true" }

!llvm.module.flags = !{!0, !1}
!llvm.ident = !{!2}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"PIC Level", i32 2}
!2 = !{!"a compiler"}
!3 = distinct !{!3, !4}
!4 = !{!"llvm.loop.mustprogress"}
