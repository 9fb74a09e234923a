



















/// Of the row (spec: components.md 6.10).
struct LogSoftmaxModel {
};

/// (spec: components.md
/// 6.9)
struct UnknownModel {
};


/// The product of the blocks (components.md 6.10).
struct ProductModel {
};


/// See spec/compile.md §1.1, 1.2.
