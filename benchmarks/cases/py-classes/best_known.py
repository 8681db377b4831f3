class a:0
class b(a):0
class c(a,b):0