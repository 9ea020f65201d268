#include "giving/giving.hpp"

#include <algorithm>
#include <array>
#include <random>

namespace latcover {

namespace {

constexpr double longest = 0.06;  // how far a point goes in a step
constexpr double shortest = longest / 32;
constexpr double enough = 0.9;          // of the room that is striven for
constexpr int rounds = 6, sweeps = 24;  // how often contacts are found, and pushed
constexpr double within = 0.25;         // of the least room: what suffices on the way between two places
constexpr int most_landing = 200;       // steps from where the guide ends
constexpr double least_share = 1e-3;    // of the way to the end, in a step
constexpr std::size_t first_back = 8, most_back = 4000;  // steps that are taken back where it is stuck
constexpr int shakes = 4;

template <class Of>
class Giver {
public:
    explicit Giver(const GivingQuestion<Of>& question)
        : question_(question), bodies_(question.bodies), random_(question.seed), n_(bodies_.size()) {
        for (std::size_t k = 1; k < question.guide.size(); ++k)
            marks_.push_back(marks_.back() + way(question.guide[k - 1], question.guide[k]));
    }

    GivingAnswer<Of> run() {
        path_.push_back({question_.guide.front(), 0});
        go(question_.guide.front(), 0);  // away from what it touches
        std::size_t back = first_back;
        GivingAnswer<Of> answer;
        while (!(follow() && land()) && !over()) {
            path_.resize(path_.size() - std::min(path_.size() - 1, back));
            back = std::min(2 * back, most_back);
            shake();
        }
        if (!over())
            for (Stop& stop : path_) answer.path.push_back(std::move(stop.places));
        answer.work = bodies_.work();
        return answer;
    }

private:
    using Places = typename Of::Places;
    using Contact = typename Of::Contact;
    using Vector = typename Of::Vector;
    using Turn = typename Of::Turn;

    struct Stop {
        Places places;
        double mark;  // how far along the guide
    };
    struct Push {
        double weight = 0, pushed = 0;
        std::array<Turn, 2> lever{}, turn{};  // of the one and the other
    };
    struct Moved {
        Vector shift;  // of its middle
        Turn turn;
    };

    bool over() const { return bodies_.work() >= question_.most_work; }

    double way(const Places& from, const Places& to) const {
        double far = 0;
        for (int i = 0; i < n_; ++i) far = std::max(far, Of::way(from[i], to[i], bodies_.arm(i)));
        return far;
    }

    Places guided(double mark) const {
        const auto after = std::upper_bound(marks_.begin(), marks_.end(), mark);
        if (after == marks_.end()) return question_.guide.back();
        const std::size_t k = after - marks_.begin();
        return between<Of>(question_.guide[k - 1], question_.guide[k],
                           (mark - marks_[k - 1]) / (marks_[k] - marks_[k - 1]));
    }

    // Along the guide from where the path is. False: stuck.
    bool follow() {
        double step = longest;
        while (path_.back().mark < marks_.back() && !over()) {
            const double mark = std::min(path_.back().mark + step, marks_.back());
            const Places to = guided(mark);
            Places wish = path_.back().places;
            for (int i = 0; i < n_; ++i) {
                const double share = question_.held[i] ? 1 : question_.pull;
                wish[i] = Of::mixed(wish[i], to[i], [&](double from, double goal) {
                    return from + share * std::clamp(goal - from, -longest, longest);
                });
                if (question_.turning[i]) wish[i].angle = to[i].angle;
            }
            if (go(std::move(wish), mark)) step = std::min(longest, 1.5 * step);
            else if ((step /= 2) < shortest) return false;
        }
        return !over();
    }

    // From where the guide ends to the end.
    bool land() {
        const Places& end = question_.guide.back();
        double share = 1;
        for (int k = 0; k < most_landing && !over(); ++k) {
            const Places& here = path_.back().places;
            if (bodies_.moves(here, end, question_.least_room)) {
                path_.push_back({end, marks_.back()});
                return true;
            }
            Places wish = between<Of>(here, end, share * std::min(1.0, longest / way(here, end)));
            if (go(std::move(wish), marks_.back())) share = std::min(1.0, 1.5 * share);
            else if ((share /= 2) < least_share) return false;
        }
        return false;
    }

    void shake() {
        std::normal_distribution<double> normal(0, longest);
        const auto chance = [&] { return normal(random_); };
        for (int k = 0; k < shakes; ++k) {
            Places wish = path_.back().places;
            for (int i = 0; i < n_; ++i)
                if (!question_.held[i])
                    wish[i] = Of::shaken(wish[i], chance, bodies_.gyration(i), question_.turning[i]);
            go(std::move(wish), path_.back().mark);
        }
    }

    // To where a wish leads once the pieces have pushed each other apart. False if they cannot, or not straight from here.
    bool go(Places wish, double mark) {
        for (int round = 0; round < rounds; ++round)
            if (!push(wish)) break;
        if (bodies_.room(wish, question_.room) < question_.least_room) return false;
        if (!bodies_.moves(path_.back().places, wish, within * question_.least_room)) return false;
        path_.push_back({std::move(wish), mark});
        return true;
    }

    // Pushes pieces apart once, each contact as if it were a plane. False if all have room.
    bool push(Places& places) {
        const auto& contacts = bodies_.contacts(places, question_.room + Of::seen);
        if (std::none_of(contacts.begin(), contacts.end(),
                         [&](const Contact& contact) { return contact.room < enough * question_.room; }))
            return false;
        moved_.assign(n_, {});
        middles_.clear();
        for (int i = 0; i < n_; ++i) middles_.push_back(bodies_.middle(i, places[i]));
        pushes_.clear();
        for (const Contact& contact : contacts) pushes_.push_back(push_of(contact));
        for (int sweep = 0; sweep < sweeps; ++sweep)
            for (std::size_t k = 0; k < contacts.size(); ++k) push_once(contacts[k], pushes_[k]);
        for (int i = 0; i < n_; ++i) {
            Of::turn(places[i], moved_[i].turn);
            Of::shift(places[i], middles_[i] + moved_[i].shift - bodies_.middle(i, places[i]));
        }
        return true;
    }

    Push push_of(const Contact& contact) const {
        Push push;
        for (const int piece : {contact.one, contact.other}) {
            const int which = piece == contact.other;
            push.lever[which] = (contact.point - middles_[piece]).cross(contact.normal);
            if (question_.held[piece]) continue;
            const double heavy = bodies_.gyration(piece) * bodies_.gyration(piece);
            push.turn[which] = push.lever[which] * (1 / heavy);
            if (question_.turning[piece]) push.turn[which] = Of::about_axis_held(push.turn[which]);
            push.weight += 1 + Of::dot(push.lever[which], push.turn[which]);
        }
        return push;
    }

    void push_once(const Contact& contact, Push& push) {
        Moved &one = moved_[contact.one], &other = moved_[contact.other];
        const double room = contact.room + contact.normal.dot(other.shift - one.shift) +
                            Of::dot(push.lever[1], other.turn) - Of::dot(push.lever[0], one.turn);
        const double more =
            std::max((question_.room - room - question_.softness * push.pushed) / (push.weight + question_.softness),
                     -push.pushed);
        if (more == 0) return;
        push.pushed += more;
        const auto move = [&](int piece, Moved& by, double far, Turn turn) {
            if (!question_.held[piece]) by = {by.shift + contact.normal * far, by.turn + turn * far};
        };
        move(contact.one, one, -more, push.turn[0]);
        move(contact.other, other, more, push.turn[1]);
    }

    const GivingQuestion<Of>& question_;
    Of bodies_;
    std::mt19937_64 random_;
    int n_;
    std::vector<double> marks_{0};  // how far along the guide its places are
    std::vector<Stop> path_;
    std::vector<Push> pushes_;
    std::vector<Moved> moved_;
    std::vector<Vector> middles_;
};

}  // namespace

GivingAnswer<Bodies> give_way(const GivingQuestion<Bodies>& question) { return Giver<Bodies>(question).run(); }
GivingAnswer<Solids> give_way(const GivingQuestion<Solids>& question) { return Giver<Solids>(question).run(); }

}  // namespace latcover
