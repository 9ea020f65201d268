/* A plugin of QEMU that counts the instructions of a program. Whenever the program asks for the process group of the process
 * `marker`, the plugin prints how many there have been.
 *
 * The declarations are those of QEMU's plugin interface, version 1, as its manual has them ("QEMU TCG Plugins"): Debian
 * packages the emulators without its header. */

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
typedef void (*translated)(qemu_plugin_id_t, struct qemu_plugin_tb *);
typedef void (*called)(qemu_plugin_id_t, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
                       uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8);

extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, translated);
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int operation, void *number, uint64_t added);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t, called);

enum { marker = 999999999 }; /* larger than the number of any process */

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

static uint64_t instructions;

static void count(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(block, 0 /* add */, &instructions, qemu_plugin_tb_n_insns(block));
}

static void call(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
                 uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8) {
    (void)id, (void)vcpu, (void)number, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
    if (a1 == marker) fprintf(stderr, "instructions %" PRIu64 "\n", instructions);
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, count);
    qemu_plugin_register_vcpu_syscall_cb(id, call);
    return 0;
}
