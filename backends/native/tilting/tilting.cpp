#include "tilting/tilting.hpp"

#include <algorithm>
#include <random>

namespace latcover {

namespace {

constexpr double longest = 0.06;  // how far a point goes in a step
constexpr double shortest = longest / 32;
constexpr double seen = 0.06;           // contacts nearer than that are watched
constexpr double enough = 0.9;          // of the room that is striven for
constexpr int rounds = 6, sweeps = 24;  // how often contacts are found, and pushed
constexpr double within = 0.25;         // of the least room: what suffices on the way between two places
constexpr int most_landing = 200;       // steps from where the guide ends
constexpr double least_share = 1e-3;    // of the way to the end, in a step
constexpr std::size_t first_back = 8, most_back = 4000;  // steps that are taken back where it is stuck
constexpr int shakes = 4;

class Tilter {
public:
    explicit Tilter(const TiltingQuestion& question)
        : question_(question), solids_(question.bodies), random_(question.seed), n_(solids_.size()) {
        for (std::size_t k = 1; k < question.guide.size(); ++k)
            marks_.push_back(marks_.back() + way(question.guide[k - 1], question.guide[k]));
    }

    TiltingAnswer run() {
        path_.push_back({question_.guide.front(), 0});
        go(question_.guide.front(), 0);  // away from what it touches
        std::size_t back = first_back;
        TiltingAnswer answer;
        while (!(follow() && land()) && !over()) {
            path_.resize(path_.size() - std::min(path_.size() - 1, back));
            back = std::min(2 * back, most_back);
            shake();
        }
        if (!over())
            for (Stop& stop : path_) answer.path.push_back(std::move(stop.places));
        answer.work = solids_.work();
        return answer;
    }

private:
    struct Stop {
        TiltPlaces places;
        double mark;  // how far along the guide
    };
    struct Push {
        double weight, pushed;
        std::array<Vector, 2> lever, tilt;  // of the one and the other
    };
    struct Moved {
        Vector shift, tilt;  // of its middle
    };

    bool over() const { return solids_.work() >= question_.most_work; }

    double way(const TiltPlaces& from, const TiltPlaces& to) const {
        double far = 0;
        for (int i = 0; i < n_; ++i) {
            const double tilted = std::hypot(to[i].tilt_u - from[i].tilt_u, to[i].tilt_v - from[i].tilt_v);
            far = std::max(far, (std::abs(to[i].angle - from[i].angle) + tilted) * solids_.arm(i) +
                                    (to[i].shift - from[i].shift).length());
        }
        return far;
    }

    TiltPlaces guided(double mark) const {
        const auto after = std::upper_bound(marks_.begin(), marks_.end(), mark);
        if (after == marks_.end()) return question_.guide.back();
        const std::size_t k = after - marks_.begin();
        return between(question_.guide[k - 1], question_.guide[k],
                       (mark - marks_[k - 1]) / (marks_[k] - marks_[k - 1]));
    }

    // Along the guide from where the path is. False: stuck.
    bool follow() {
        double step = longest;
        while (path_.back().mark < marks_.back() && !over()) {
            const double mark = std::min(path_.back().mark + step, marks_.back());
            const TiltPlaces to = guided(mark);
            TiltPlaces wish = path_.back().places;
            for (int i = 0; i < n_; ++i) {
                const double share = question_.held[i] ? 1 : question_.pull;
                const auto nearer = [&](double from, double goal) {
                    return from + share * std::clamp(goal - from, -longest, longest);
                };
                const Vector from = wish[i].shift, goal = to[i].shift;
                wish[i] = {question_.turning[i] ? to[i].angle : nearer(wish[i].angle, to[i].angle),
                           {nearer(from.x, goal.x), nearer(from.y, goal.y), nearer(from.z, goal.z)},
                           nearer(wish[i].tilt_u, to[i].tilt_u),
                           nearer(wish[i].tilt_v, to[i].tilt_v)};
            }
            if (go(std::move(wish), mark)) step = std::min(longest, 1.5 * step);
            else if ((step /= 2) < shortest) return false;
        }
        return !over();
    }

    // From where the guide ends to the end.
    bool land() {
        const TiltPlaces& end = question_.guide.back();
        double share = 1;
        for (int k = 0; k < most_landing && !over(); ++k) {
            const TiltPlaces& here = path_.back().places;
            if (solids_.moves(here, end, question_.least_room)) {
                path_.push_back({end, marks_.back()});
                return true;
            }
            TiltPlaces wish = between(here, end, share * std::min(1.0, longest / way(here, end)));
            if (go(std::move(wish), marks_.back())) share = std::min(1.0, 1.5 * share);
            else if ((share /= 2) < least_share) return false;
        }
        return false;
    }

    void shake() {
        std::normal_distribution<double> normal(0, longest);
        for (int k = 0; k < shakes; ++k) {
            TiltPlaces wish = path_.back().places;
            for (int i = 0; i < n_; ++i) {
                if (question_.held[i]) continue;
                const double arm = solids_.gyration(i);
                if (!question_.turning[i]) wish[i].angle += normal(random_) / arm;
                wish[i].tilt_u += normal(random_) / arm / 2;
                wish[i].tilt_v += normal(random_) / arm / 2;
                const double u = normal(random_), v = normal(random_), w = normal(random_) / 2;
                wish[i].shift = wish[i].shift + Vector{u, v, w};
            }
            go(std::move(wish), path_.back().mark);
        }
    }

    // To where a wish leads once the pieces have pushed each other apart. False if they cannot, or not straight from here.
    bool go(TiltPlaces wish, double mark) {
        for (int round = 0; round < rounds; ++round)
            if (!push(wish)) break;
        if (solids_.room(wish, question_.room) < question_.least_room) return false;
        if (!solids_.moves(path_.back().places, wish, within * question_.least_room)) return false;
        path_.push_back({std::move(wish), mark});
        return true;
    }

    // Pushes pieces apart once, each contact as if it were a plane. False if all have room.
    bool push(TiltPlaces& places) {
        const auto& contacts = solids_.contacts(places, question_.room + seen);
        if (std::none_of(contacts.begin(), contacts.end(),
                         [&](const TiltContact& contact) { return contact.room < enough * question_.room; }))
            return false;
        moved_.assign(n_, {{0, 0, 0}, {0, 0, 0}});
        middles_.clear();
        for (int i = 0; i < n_; ++i) middles_.push_back(solids_.middle(i, places[i]));
        pushes_.clear();
        for (const TiltContact& contact : contacts) pushes_.push_back(push_of(contact));
        for (int sweep = 0; sweep < sweeps; ++sweep)
            for (std::size_t k = 0; k < contacts.size(); ++k) push_once(contacts[k], pushes_[k]);
        for (int i = 0; i < n_; ++i) {
            places[i].angle += moved_[i].tilt.z;
            places[i].tilt_u += moved_[i].tilt.x;
            places[i].tilt_v += moved_[i].tilt.y;
            const Vector goal = middles_[i] + moved_[i].shift;
            places[i].shift = places[i].shift + goal - solids_.middle(i, places[i]);
        }
        return true;
    }

    Push push_of(const TiltContact& contact) const {
        Push push{0, 0, {}, {}};
        for (const int piece : {contact.one, contact.other}) {
            const int which = piece == contact.other;
            const Vector lever = (contact.point - middles_[piece]).cross(contact.normal);
            push.lever[which] = lever;
            if (question_.held[piece]) continue;
            push.tilt[which] = lever * (1 / (solids_.gyration(piece) * solids_.gyration(piece)));
            if (question_.turning[piece]) push.tilt[which].z = 0;
            push.weight += 1 + lever.dot(push.tilt[which]);
        }
        return push;
    }

    void push_once(const TiltContact& contact, Push& push) {
        Moved &one = moved_[contact.one], &other = moved_[contact.other];
        const double room = contact.room + contact.normal.dot(other.shift - one.shift) + push.lever[1].dot(other.tilt) -
                            push.lever[0].dot(one.tilt);
        const double more =
            std::max((question_.room - room - question_.softness * push.pushed) / (push.weight + question_.softness),
                     -push.pushed);
        if (more == 0) return;
        push.pushed += more;
        const auto move = [&](int piece, Moved& by, double far, Vector tilt) {
            if (question_.held[piece]) return;
            by = {by.shift + contact.normal * far, by.tilt + tilt * far};
        };
        move(contact.one, one, -more, push.tilt[0]);
        move(contact.other, other, more, push.tilt[1]);
    }

    const TiltingQuestion& question_;
    Solids solids_;
    std::mt19937_64 random_;
    int n_;
    std::vector<double> marks_{0};  // how far along the guide its places are
    std::vector<Stop> path_;
    std::vector<Push> pushes_;
    std::vector<Moved> moved_;
    std::vector<Vector> middles_;
};

}  // namespace

TiltingAnswer tilt_way(const TiltingQuestion& question) { return Tilter(question).run(); }

}  // namespace latcover
