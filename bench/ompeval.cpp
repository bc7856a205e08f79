// Time OMPEval's evaluator on hands of seven cards, for bench/ompeval.py, which compiles this with OMPEval's source.
//
// Arguments: a file of hands, seven bytes each (card = 4 * rank + suit), the number of runs, and a file for the
// rank of each hand (16 bits).  Printed as JSON: the processor seconds of each run over the file, those of each run
// over every hand of a deck, and the hands of the deck by category.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <vector>

#include <omp/HandEvaluator.h>

namespace {

constexpr unsigned cards = 52, hand_size = 7, categories = 10;

double seconds_since(std::clock_t start) {
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

void evaluate_file(const omp::HandEvaluator& evaluator, const std::vector<uint8_t>& bytes, std::vector<uint16_t>& ranks) {
    for (size_t i = 0; i < ranks.size(); ++i) {
        omp::Hand hand = omp::Hand::empty();
        for (unsigned j = 0; j < hand_size; ++j) hand += omp::Hand(bytes[hand_size * i + j]);
        ranks[i] = evaluator.evaluate(hand);
    }
}

// Each loop goes on where the one around it stands, and adds its card to that one's sum.
template <unsigned left>
void count_deck(const omp::HandEvaluator& evaluator, const omp::Hand& sum, unsigned first, uint64_t* counts) {
    for (unsigned card = first; card + left <= cards; ++card) {
        const omp::Hand hand = sum + omp::Hand(card);
        if constexpr (left == 1) ++counts[evaluator.evaluate(hand) >> 12];
        else count_deck<left - 1>(evaluator, hand, card + 1, counts);
    }
}

void print_list(const char* name, const std::vector<double>& values, const char* end) {
    std::printf("\"%s\": [", name);
    for (size_t i = 0; i < values.size(); ++i) std::printf("%s%.6f", i ? ", " : "", values[i]);
    std::printf("]%s", end);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    std::ifstream file(argv[1], std::ios::binary);
    const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const int runs = std::atoi(argv[2]);
    const omp::HandEvaluator evaluator;
    std::vector<uint16_t> ranks(bytes.size() / hand_size);
    std::vector<double> of_file, of_deck;
    std::vector<uint64_t> counts(categories);
    for (int run = 0; run < runs; ++run) {
        const auto start = std::clock();
        evaluate_file(evaluator, bytes, ranks);
        of_file.push_back(seconds_since(start));
    }
    for (int run = 0; run < runs; ++run) {
        counts.assign(categories, 0);
        const auto start = std::clock();
        count_deck<hand_size>(evaluator, omp::Hand::empty(), 0, counts.data());
        of_deck.push_back(seconds_since(start));
    }
    std::ofstream(argv[3], std::ios::binary)
        .write(reinterpret_cast<const char*>(ranks.data()), static_cast<std::streamsize>(2 * ranks.size()));
    std::printf("{");
    print_list("file", of_file, ", ");
    print_list("deck", of_deck, ", \"counts\": [");
    for (unsigned category = 0; category < categories; ++category)
        std::printf("%s%llu", category ? ", " : "", static_cast<unsigned long long>(counts[category]));
    std::printf("]}\n");
}
